import Authenticator

/// Hands each event to every watcher. A watcher that does not keep up is dropped, so that memory does not grow.
struct EventHub {
    private static let mostWaiting = 1024

    private var watchers: [Int: OutgoingEvents] = [:]
    private var next = 0

    var isWatched: Bool { !watchers.isEmpty }

    /// A new watcher, told `first`; `leave` is called with its number when it goes away.
    mutating func join(
        first: [Event], leave: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<Event, any Error> {
        let queue = OutgoingEvents(first: first, room: Self.mostWaiting)
        let number = next
        next += 1
        watchers[number] = queue
        let seat = Seat(queue) { leave(number) }
        // It keeps no event itself.
        return AsyncThrowingStream { try await seat.queue.next() }
    }

    mutating func leave(_ number: Int) { watchers.removeValue(forKey: number)?.finish(dropping: true) }

    /// - Parameter more: how many more than usual may wait for a watcher, where one bank brings many at once.
    mutating func tell(_ event: Event, more: Int = 0) {
        for (number, queue) in watchers where !queue.put(event, more: more) { watchers[number] = nil }
    }

    mutating func finish() {
        for queue in watchers.values { queue.finish() }
        watchers = [:]
    }

    /// A watcher's own: it leaves when nobody holds the stream any more.
    private final class Seat: Sendable {
        let queue: OutgoingEvents
        private let leave: @Sendable () -> Void

        init(_ queue: OutgoingEvents, leave: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.leave = leave
        }

        deinit { leave() }
    }
}
