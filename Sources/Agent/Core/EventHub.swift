/// Hands each event to everybody who watches. One who does not keep up is let go, so that nobody's memory grows.
struct EventHub {
    private static let mostWaiting = 1024

    private var watchers: [Int: AsyncThrowingStream<Event, any Error>.Continuation] = [:]
    private var next = 0

    var isWatched: Bool { !watchers.isEmpty }

    /// A new watcher, told `first`; `leave` is called with its number when it goes away.
    mutating func join(
        first: [Event], leave: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<Event, any Error> {
        let (events, inlet) = AsyncThrowingStream<Event, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostWaiting + first.count))
        let number = next
        next += 1
        inlet.onTermination = { _ in leave(number) }
        for event in first { inlet.yield(event) }
        watchers[number] = inlet
        return events
    }

    mutating func leave(_ number: Int) { watchers[number] = nil }

    mutating func tell(_ event: Event) {
        for (number, inlet) in watchers {
            if case .enqueued = inlet.yield(event) { continue }
            watchers[number] = nil
            inlet.finish(throwing: Failure(.internal, "this watcher did not keep up", hint: "watch again"))
        }
    }

    mutating func finish() {
        for inlet in watchers.values { inlet.finish() }
        watchers = [:]
    }
}
