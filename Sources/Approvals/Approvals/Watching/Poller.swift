package import Basics
package import ApprovalModel

/// Asks each connection when it is due. It knows neither banks nor their answers.
package actor Poller {
    /// The result of asking one connection.
    package struct Heard: Sendable {
        /// Nil for an answer.
        package var error: (any Error)?
        /// Whether the answer changed something. Items that cannot be opened never count: the time of our next call
        /// would show the bank whether we could open its item.
        package var isEvent: Bool
        /// When the answer had arrived, from which the next wait counts; nil for now. The time that opening took must
        /// not show.
        package var at: ContinuousClock.Instant?

        package init(error: (any Error)? = nil, isEvent: Bool = false, at: ContinuousClock.Instant? = nil) {
            self.error = error
            self.isEvent = isEvent
            self.at = at
        }
    }

    /// Waits until a moment; throws if its task is cancelled before.
    package typealias Sleep = @Sendable (ContinuousClock.Instant) async throws -> Void

    private let now: @Sendable () -> ContinuousClock.Instant
    private let pace: PollSchedule.Pace
    private let sleep: Sleep
    private var schedule: PollSchedule
    private var sleeper: CheckedContinuation<Void, Never>?
    private var isWoken = false
    /// When the running timer ends the pause; nil if none runs.
    private var alarm: ContinuousClock.Instant?
    /// How often it looked for due connections.
    private(set) var turns = 0

    /// Waits by the clock if `sleep` is nil.
    package init(pace: PollSchedule.Pace = .init(), clock: Clock, sleep: Sleep? = nil) {
        self.pace = pace
        now = clock.moment
        self.sleep = sleep ?? clock.sleepUntil
        schedule = PollSchedule(at: clock.moment(), pace: pace)
    }

    /// Polls until its task is cancelled, then returns. Throws the errors of `reload`.
    ///
    /// - Parameters:
    ///   - reload: returns the present active connections; called every few seconds.
    ///   - ask: asks one connection; runs for several at the same time.
    package func run(
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
                // A timer that ends earlier will do: after it we pause again. Timers are not cheap, and a cancelled one
                // stays in the system until its time.
                if alarm.map({ end < $0 }) ?? true {
                    alarm = end
                    group.addTask { await self.ring(at: end) }
                }
                await pause()
            }
        }
    }

    /// Sets why connections are asked often (`PollSchedule.setAttention`).
    package func setAttention(_ attention: PollSchedule.Attention) {
        schedule.setAttention(attention)
        wake()
    }

    /// The machine woke up, or the network is back: asks all at once (`PollSchedule.wakeUp`).
    package func wakeUp() {
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
