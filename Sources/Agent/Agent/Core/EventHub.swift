import AgentWire

/// Hands each event to every watcher. A watcher that does not keep up is dropped, so that memory does not grow without
/// limit.
struct EventHub {
    private static let mostWaiting = 1024

    private struct Watcher {
        let queue: OutgoingEvents
        let topics: Set<EventTopic>

        func wants(_ event: AgentEvent) -> Bool { event.topic.map(topics.contains) ?? true }
    }

    private var watchers: [Int: Watcher] = [:]
    private var next = 0

    var isWatched: Bool { !watchers.isEmpty }
    /// Whether a watcher wants events of this topic.
    func isWatched(for topic: EventTopic) -> Bool { watchers.values.contains { $0.topics.contains(topic) } }

    /// Adds a watcher, which gets `first` before anything else. `leave` is called with its number when the stream is
    /// released.
    ///
    /// - Parameter topics: the topics that it gets, apart from the events that every watcher gets, also in `first`.
    mutating func join(
        first: [AgentEvent], topics: Set<EventTopic> = [], leave: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<AgentEvent, any Error> {
        let first = first.filter { $0.topic.map(topics.contains) ?? true }
        let queue = OutgoingEvents(first: first, room: Self.mostWaiting)
        let number = next
        next += 1
        watchers[number] = Watcher(queue: queue, topics: topics)
        let subscription = Subscription(queue) { leave(number) }
        // The unfolding stream buffers no events itself.
        return AsyncThrowingStream { try await subscription.queue.next() }
    }

    mutating func leave(_ number: Int) { watchers.removeValue(forKey: number)?.queue.finish(dropping: true) }

    /// - Parameter more: how many events beyond the limit may wait for a watcher, for a job that brings many at once.
    mutating func tell(_ event: AgentEvent, more: Int = 0) {
        for (number, watcher) in watchers where watcher.wants(event) {
            if !watcher.queue.put(event, more: more) { watchers[number] = nil }
        }
    }

    /// Forgets the events that no watcher has taken yet and that may no longer be sent.
    func drop(where mustGo: (AgentEvent) -> Bool) {
        for watcher in watchers.values { watcher.queue.drop(where: mustGo) }
    }

    mutating func finish() {
        for watcher in watchers.values { watcher.queue.finish() }
        watchers = [:]
    }

    /// Calls `leave` when nobody holds the stream any more.
    private final class Subscription: Sendable {
        let queue: OutgoingEvents
        private let leave: @Sendable () -> Void

        init(_ queue: OutgoingEvents, leave: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.leave = leave
        }

        deinit { leave() }
    }
}
