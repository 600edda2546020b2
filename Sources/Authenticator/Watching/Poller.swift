public import Basics
public import SCA

/// Asks each connection when its turn comes. It knows neither banks nor what they answer.
public actor Poller {
    /// What came of asking.
    public struct Heard: Sendable {
        /// Nil is an answer.
        public var error: (any Error)?
        /// Whether the answer told something new. Never because of what cannot be opened: how soon a bank is asked again would
        /// tell it what became of its item.
        public var isEvent: Bool
        /// When the answer was here, from which the next wait counts; nil for now. How long it took to open is nobody's business.
        public var at: ContinuousClock.Instant?

        public init(error: (any Error)? = nil, isEvent: Bool = false, at: ContinuousClock.Instant? = nil) {
            self.error = error
            self.isEvent = isEvent
            self.at = at
        }
    }

    /// Waits until a moment; throws when its task is cancelled before.
    public typealias Sleep = @Sendable (ContinuousClock.Instant) async throws -> Void

    private let now: @Sendable () -> ContinuousClock.Instant
    private let pace: PollSchedule.Pace
    private let sleep: Sleep
    private var schedule: PollSchedule
    private var sleeper: CheckedContinuation<Void, Never>?
    private var isWoken = false
    /// When a pause ends by itself; a timer runs for it.
    private var alarm: ContinuousClock.Instant?
    /// How often it looked whether somebody is due.
    private(set) var turns = 0

    /// Without `sleep` it waits by the clock.
    public init(pace: PollSchedule.Pace = .init(), clock: Clock, sleep: Sleep? = nil) {
        self.pace = pace
        now = clock.moment
        self.sleep = sleep ?? clock.sleepUntil
        schedule = PollSchedule(at: clock.moment(), pace: pace)
    }

    /// Polls until its task is cancelled; then it returns. Throws what `reload` throws.
    ///
    /// - Parameters:
    ///   - reload: the active connections as they are now; asked for every few seconds.
    ///   - ask: asks one; several are asked at once.
    public func run(
        reload: @escaping @Sendable () async throws -> [ConnectionGUID],
        ask: @escaping @Sendable (ConnectionGUID) async -> Heard
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            defer {
                alarm = nil
                group.cancelAll()
            }
            var nextReload = now()
            while !Task.isCancelled {
                turns += 1
                if nextReload <= now() {
                    schedule.follow(try await reload(), at: now())
                    nextReload = now() + pace.fastest
                }
                while let connection = schedule.take(at: now()) {
                    group.addTask { await self.hear(await ask(connection), from: connection) }
                }
                let end = min(schedule.next ?? nextReload, nextReload)
                // One that is set for earlier serves as well: what it ends is paused again. A timer is not cheap, and one that
                // is cancelled stays with the system until its time.
                if alarm.map({ end < $0 }) ?? true {
                    alarm = end
                    group.addTask { await self.ring(at: end) }
                }
                await pause()
            }
        }
    }

    /// Whether someone watches or something is pending (`PollSchedule.setAttention`).
    public func setAttention(_ attention: PollSchedule.Attention) {
        schedule.setAttention(attention)
        wake()
    }

    /// The machine or the network is back: all are asked at once (`PollSchedule.wakeUp`).
    public func wakeUp() {
        schedule.wakeUp(at: now())
        wake()
    }

    private func hear(_ heard: Heard, from connection: ConnectionGUID) {
        guard !Task.isCancelled else { return }
        schedule.heard(
            heard.error, from: connection, isEvent: heard.isEvent, at: heard.at ?? now(), jitter: .random(in: 0...1)
        )
        if let next = schedule.next, let alarm, next < alarm { wake() }
    }

    private func pause() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isWoken || Task.isCancelled { continuation.resume() } else { sleeper = continuation }
                isWoken = false
            }
        } onCancel: {
            Task { await self.wake() }
        }
    }

    private func ring(at end: ContinuousClock.Instant) async {
        try? await sleep(end)
        guard !Task.isCancelled else { return }
        if alarm == end { alarm = nil }
        wake()
    }

    private func wake() {
        isWoken = sleeper == nil
        sleeper?.resume()
        sleeper = nil
    }
}
