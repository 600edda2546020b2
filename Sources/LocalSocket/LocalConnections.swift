internal import NIOCore
internal import Synchronization

/// The connections of one server, by numbers: limits how many there are, and ends them.
final class LocalConnections: Sendable {
    private enum Phase { case open, draining, over }

    private struct Connection {
        let channel: any Channel
        let presence: Presence
        /// When the last part of a request came, or the last answer was sent.
        var lastUse = ContinuousClock.Instant.now
        /// Whether a request is being answered.
        var isBusy = false
        /// Whether a request has begun to arrive and is not whole.
        var isReading = false
        /// Whether no request came yet.
        var isSilent = true

        /// Whether no request is being answered and no code waits for the connection's end (`Presence`).
        var isIdle: Bool { !isBusy && !presence.isAwaited }
    }

    private struct State {
        var phase = Phase.open
        var last = 0
        var open: [Int: Connection] = [:]
        /// A task outlives its channel when the client leaves in the middle of a request.
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, any Error>?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Adds a connection and returns its number. When the table is full, closes the connection that was idle longest;
    /// returns nil if none is idle, or if no more are accepted. Tells `presence` when the connection closes. Closes a
    /// connection that is silent for longer than `limits` allow.
    func add(_ channel: any Channel, _ presence: Presence, _ limits: LocalServer.Limits) -> Int? {
        let (number, idlest) = state.withLock { state -> (Int?, (any Channel)?) in
            guard state.phase == .open else { return (nil, nil) }
            var idlest: Int?
            if state.open.count >= limit {
                let free = state.open.filter { !$0.value.isBusy }
                let idle = free.filter { $0.value.isIdle }
                idlest = (idle.isEmpty ? free : idle).min { $0.value.lastUse < $1.value.lastUse }?.key
                guard idlest != nil else { return (nil, nil) }
            }
            state.last += 1
            state.open[state.last] = Connection(channel: channel, presence: presence)
            return (state.last, idlest.flatMap { state.open.removeValue(forKey: $0)?.channel })
        }
        guard let number else { return nil }
        idlest?.close(promise: nil)
        let silence = channel.eventLoop.scheduleTask(in: TimeAmount(limits.silence)) {
            if self.state.withLock({ $0.open[number]?.isSilent == true }) { channel.close(promise: nil) }
        }
        let pace = TimeAmount(limits.idleness)
        let idleness = channel.eventLoop.scheduleRepeatedTask(initialDelay: pace, delay: pace) { _ in
            if self.isOver(number, limits.idleness) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            silence.cancel()
            idleness.cancel()
            self.state.withLock { $0.open[number] = nil }
            presence.leave()
        }
        return number
    }

    private func isOver(_ number: Int, _ idleness: Duration) -> Bool {
        state.withLock { state in
            guard let connection = state.open[number], connection.isReading || connection.isIdle else { return false }
            return connection.lastUse.duration(to: .now) >= idleness
        }
    }

    /// Notes that a part of a request came.
    func read(_ number: Int, isWhole: Bool) {
        state.withLock { state in
            state.open[number]?.lastUse = .now
            state.open[number]?.isReading = !isWhole
        }
    }

    /// Notes that a request came.
    func began(_ number: Int) {
        state.withLock { state in
            state.open[number]?.isSilent = false
            state.open[number]?.isBusy = true
        }
    }

    /// Notes that the request was answered.
    func answered(_ number: Int) {
        state.withLock { state in
            state.open[number]?.lastUse = .now
            state.open[number]?.isBusy = false
        }
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

    /// Closes idle connections at once, the others after their answer, and all that are left when `time` is over.
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
