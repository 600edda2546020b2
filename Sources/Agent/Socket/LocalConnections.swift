internal import NIOCore
internal import Synchronization

/// The connections of one server, by numbers: how many there are, and how they are brought to an end.
final class LocalConnections: Sendable {
    private enum Phase { case open, draining, over }

    private struct State {
        var phase = Phase.open
        var last = 0
        var channels: [Int: any Channel] = [:]
        /// A task may outlive its channel, where its client left in the middle of a request.
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, any Error>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Nil when there are too many, or no more are wanted. The presence learns when the connection is closed.
    func add(_ channel: any Channel, _ presence: Presence) -> Int? {
        let number: Int? = state.withLock { state in
            guard state.phase == .open, state.channels.count < limit else { return nil }
            state.last += 1
            state.channels[state.last] = channel
            return state.last
        }
        guard let number else { return nil }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.channels[number] = nil }
            presence.leave()
        }
        return number
    }

    func started(_ number: Int, _ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            state.tasks[number] = task
            return state.phase == .over
        }
        if isLate { task.cancel() }
    }

    func ended(_ number: Int) {
        state.withLock { $0.tasks[number] = nil }
    }

    /// Idle connections are closed at once, others after the answer to what is in progress, all when the time is over.
    func drain(within time: Duration) {
        let channels = state.withLock { state in
            guard state.phase == .open else { return [any Channel]() }
            state.phase = .draining
            state.timer = Task {
                try await Task.sleep(for: time)
                self.end()
            }
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Closes every connection and cancels what is in progress.
    func end() {
        let (channels, tasks) = state.withLock { state in
            state.phase = .over
            state.timer?.cancel()
            state.timer = nil
            return (Array(state.channels.values), Array(state.tasks.values))
        }
        for channel in channels { channel.close(promise: nil) }
        for task in tasks { task.cancel() }
    }
}
