internal import NIOCore
internal import Synchronization

/// The connections of one server, by numbers: limits how many there are, and ends them.
final class LocalConnections: Sendable {
    /// The fate of a new connection.
    enum Admission: Equatable {
        case served(Int)
        /// One too many: its first request is answered by saying so.
        case refused(Int)
        /// Closed at once: no more are taken, or enough are being refused.
        case closed
    }

    private enum Phase { case open, draining, over }

    private struct Connection {
        let channel: any Channel
        let presence: Presence
        /// The process that made it.
        let pid: Int32
        /// Whether it came when only the last places were left.
        let isLate: Bool
        var isRefused: Bool
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
        /// Whether its process can do without it. A new connection may hold a request that was not read yet.
        var isSpent: Bool { isIdle && !isSilent && !isReading }
    }

    private struct State {
        var phase = Phase.open
        var last = 0
        var open: [Int: Connection] = [:]
        /// A task outlives its channel when the client leaves in the middle of a request.
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, any Error>?

        var served: [Int: Connection] { open.filter { !$0.value.isRefused } }

        /// The spent connection whose last use is longest ago.
        func spent(where isMeant: (Int, Connection) -> Bool) -> Int? {
            served.filter { $0.value.isSpent && isMeant($0.key, $0.value) }
                .min { $0.value.lastUse < $1.value.lastUse }?.key
        }

        /// The admission, and a connection to close for it.
        mutating func admit(
            _ channel: any Channel, _ presence: Presence, _ pid: Int32, _ limits: LocalServer.Limits
        ) -> (Admission, (any Channel)?) {
            guard phase == .open else { return (.closed, nil) }
            let served = served
            var leaving: Int?
            var isRefused = false
            if served.count(where: { $0.value.pid == pid }) >= limits.connectionsOfProcess {
                leaving = spent { $1.pid == pid }
                isRefused = leaving == nil
            } else if served.count >= limits.connections {
                leaving = idlest
                isRefused = leaving == nil
            }
            guard !isRefused || open.count - served.count < LocalConnections.refusals else { return (.closed, nil) }
            last += 1
            open[last] = Connection(
                channel: channel, presence: presence, pid: pid,
                isLate: served.count >= limits.connections - limits.reserved, isRefused: isRefused)
            let closed = leaving.flatMap { open.removeValue(forKey: $0)?.channel }
            return (isRefused ? .refused(last) : .served(last), closed)
        }

        /// Of all connections, the one to close for another one; nil when all are busy.
        var idlest: Int? {
            let free = served.filter { !$0.value.isBusy }
            let idle = free.filter { $0.value.isIdle }
            return (idle.isEmpty ? free : idle).min { $0.value.lastUse < $1.value.lastUse }?.key
        }
    }

    /// How many refused connections wait at a time for the answer that they are too many, and for how long.
    private static let refusals = 16
    private static let refusalTime = Duration.seconds(2)

    private let limits: LocalServer.Limits
    private let state = Mutex(State())

    init(_ limits: LocalServer.Limits) { self.limits = limits }

    /// Adds a connection of a process. If the process has its share, closes that process's connection that was idle
    /// longest; if the table is full, closes the one of all that was idle longest. If none can be closed, refuses the
    /// new one. Notifies `presence` when the connection closes. Closes a connection that is silent for longer than the
    /// limits allow.
    func add(_ channel: any Channel, _ presence: Presence, pid: Int32) -> Admission {
        let (admission, closed) = state.withLock { $0.admit(channel, presence, pid, limits) }
        closed?.close(promise: nil)
        switch admission {
        case .served(let number): watch(number, channel, presence, limits.silence)
        case .refused(let number): watch(number, channel, presence, min(limits.silence, Self.refusalTime))
        case .closed: break
        }
        return admission
    }

    private func watch(_ number: Int, _ channel: any Channel, _ presence: Presence, _ patience: Duration) {
        let silence = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) {
            if self.state.withLock({ $0.open[number]?.isSilent == true }) { channel.close(promise: nil) }
        }
        let pace = TimeAmount(limits.idleness)
        let idleness = channel.eventLoop.scheduleRepeatedTask(initialDelay: pace, delay: pace) { _ in
            if self.isOver(number, self.limits.idleness) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            silence.cancel()
            idleness.cancel()
            self.state.withLock { $0.open[number] = nil }
            presence.leave()
        }
    }

    /// Whether another program's connection may stay: the last places are reserved for our own program. If only those are left, it
    /// takes the place of the connection that was idle longest; if none is idle, it is refused from here on.
    func isPlaced(_ number: Int) -> Bool {
        let (isPlaced, closed) = state.withLock { state -> (Bool, (any Channel)?) in
            guard state.open[number]?.isLate == true, state.served.count > limits.connections - limits.reserved
            else { return (true, nil) }
            if let spent = state.spent(where: { key, _ in key != number }) {
                return (true, state.open.removeValue(forKey: spent)?.channel)
            }
            state.open[number]?.isRefused = true
            return (false, nil)
        }
        closed?.close(promise: nil)
        return isPlaced
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

    /// Closes every connection and cancels requests in progress.
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
