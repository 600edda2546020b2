import Basics

/// Sends owed revocations to issuers, one attempt after the other.
@AgentActor
final class RevocationSending {
    /// How often the agent tries again.
    nonisolated static let interval = Duration.seconds(3600)

    private let clock: Clock
    /// The last attempt, while it is under way.
    private(set) var underWay: Task<Void, Never>?
    /// Counts the attempts.
    private var attempts = 0
    /// When the last attempt began.
    private var last: ContinuousClock.Instant?

    init(_ clock: Clock) { self.clock = clock }

    /// Whether it is time for another attempt.
    func isTime(at moment: ContinuousClock.Instant) -> Bool {
        underWay == nil && last.map { $0 + Self.interval <= moment } ?? true
    }

    /// Sends after the attempts that are under way.
    func begin(_ send: @escaping @Sendable () async -> Void) {
        attempts += 1
        last = clock.moment()
        let (before, number) = (underWay, attempts)
        underWay = Task.detached {
            await before?.value
            await send()
            await self.ended(number)
        }
    }

    private func ended(_ number: Int) {
        if number == attempts { underWay = nil }
    }
}
