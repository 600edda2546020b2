/// Hands each event to every watcher. A watcher that does not keep up is dropped, so that memory does not grow without
/// limit.
struct EventHub {
    private static let mostWaiting = 1024

    private struct Watcher {
        let queue: OutgoingEvents
        let includesSessions: Bool
    }

    private var watchers: [Int: Watcher] = [:]
    private var next = 0

    var isWatched: Bool { !watchers.isEmpty }
    /// Whether a watcher wants events of sessions.
    var isWatchedForSessions: Bool { watchers.values.contains(where: \.includesSessions) }

    /// Adds a watcher, which gets `first` before anything else. `leave` is called with its number when the stream is
    /// released.
    ///
    /// - Parameter includesSessions: whether it gets events of sessions, too, also those in `first`.
    mutating func join(
        first: [AgentEvent], includesSessions: Bool = false, leave: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<AgentEvent, any Error> {
        let first = first.filter { includesSessions || !$0.isOfSessions }
        let queue = OutgoingEvents(first: first, room: Self.mostWaiting)
        let number = next
        next += 1
        watchers[number] = Watcher(queue: queue, includesSessions: includesSessions)
        let subscription = Subscription(queue) { leave(number) }
        // The unfolding stream buffers no events itself.
        return AsyncThrowingStream { try await subscription.queue.next() }
    }

    mutating func leave(_ number: Int) { watchers.removeValue(forKey: number)?.queue.finish(dropping: true) }

    /// - Parameter more: how many events beyond the limit may wait for a watcher, for a bank that brings many at once.
    mutating func tell(_ event: AgentEvent, more: Int = 0) {
        for (number, watcher) in watchers where watcher.includesSessions || !event.isOfSessions {
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
