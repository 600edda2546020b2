import Authenticator

/// Hands each event to every watcher. A watcher that does not keep up is dropped, so that memory does not grow without
/// limit.
struct EventHub {
    private static let mostWaiting = 1024

    private var watchers: [Int: OutgoingEvents] = [:]
    private var next = 0

    var isWatched: Bool { !watchers.isEmpty }

    /// Adds a watcher, which gets `first` before anything else. `leave` is called with its number when the stream is
    /// released.
    mutating func join(
        first: [Event], leave: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<Event, any Error> {
        let queue = OutgoingEvents(first: first, room: Self.mostWaiting)
        let number = next
        next += 1
        watchers[number] = queue
        let subscription = Subscription(queue) { leave(number) }
        // The unfolding stream buffers no events itself.
        return AsyncThrowingStream { try await subscription.queue.next() }
    }

    mutating func leave(_ number: Int) { watchers.removeValue(forKey: number)?.finish(dropping: true) }

    /// - Parameter more: how many events beyond the limit may wait for a watcher, for a bank that brings many at once.
    mutating func tell(_ event: Event, more: Int = 0) {
        for (number, queue) in watchers where !queue.put(event, more: more) { watchers[number] = nil }
    }

    mutating func finish() {
        for queue in watchers.values { queue.finish() }
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
