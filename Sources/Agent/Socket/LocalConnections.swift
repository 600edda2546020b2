internal import NIOCore
internal import Synchronization

/// The connections of one server, by numbers: how many there are, and how they are brought to an end.
final class LocalConnections: Sendable {
    private enum Phase { case open, draining, over }

    private struct Connection {
        let channel: any Channel
        /// Since when it waits for a request; nil while one is answered.
        var idleSince: ContinuousClock.Instant? = .now
        /// No request came yet.
        var isSilent = true
    }

    private struct State {
        var phase = Phase.open
        var last = 0
        var open: [Int: Connection] = [:]
        /// A task may outlive its channel, where its client left in the middle of a request.
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, any Error>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Makes room by closing the one that has been idle longest. Nil when there is none such, or no more are wanted. The
    /// presence learns when the connection is closed, which it is when no request comes within `patience`.
    func add(_ channel: any Channel, _ presence: Presence, patience: Duration) -> Int? {
        let (number, idlest) = state.withLock { state -> (Int?, (any Channel)?) in
            guard state.phase == .open else { return (nil, nil) }
            var idlest: Int?
            if state.open.count >= limit {
                let idle = state.open.compactMap { number, connection in connection.idleSince.map { ($0, number) } }
                idlest = idle.min { $0.0 < $1.0 }?.1
                guard idlest != nil else { return (nil, nil) }
            }
            state.last += 1
            state.open[state.last] = Connection(channel: channel)
            return (state.last, idlest.flatMap { state.open.removeValue(forKey: $0)?.channel })
        }
        guard let number else { return nil }
        idlest?.close(promise: nil)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) {
            if self.state.withLock({ $0.open[number]?.isSilent == true }) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            timer.cancel()
            self.state.withLock { $0.open[number] = nil }
            presence.leave()
        }
        return number
    }

    /// A request has come.
    func began(_ number: Int) {
        state.withLock { state in
            state.open[number]?.isSilent = false
            state.open[number]?.idleSince = nil
        }
    }

    /// It has been answered.
    func answered(_ number: Int) {
        state.withLock { $0.open[number]?.idleSince = .now }
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
            return state.open.values.map(\.channel)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Closes every connection and cancels what is in progress.
    func end() {
        let (channels, tasks) = state.withLock { state in
            state.phase = .over
            state.timer?.cancel()
            state.timer = nil
            return (state.open.values.map(\.channel), Array(state.tasks.values))
        }
        for channel in channels { channel.close(promise: nil) }
        for task in tasks { task.cancel() }
    }
}
