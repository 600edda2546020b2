public import SCA

/// When to ask the bank of which connection. It asks nobody: time comes in as moments of a clock that nobody can set and
/// that goes on while the machine sleeps.
///
/// Each connection is due every 3 s, give or take a tenth; one whose bank fails is asked less and less often, at least every
/// 2 minutes, and never before its `Retry-After` (up to an hour). Connections are handed out one by one with a gap
/// between them, also when all are due, so banks are never all asked at once.
public struct PollSchedule: Sendable {
    public typealias Moment = ContinuousClock.Instant

    static let interval = Duration.seconds(3)
    static let longestBackOff = Duration.seconds(120)
    static let longestRetryAfter = Duration.seconds(3600)

    private struct Entry {
        var due: Moment
        var failures = 0
        var isAsked = false
    }

    private var entries: [ConnectionGUID: Entry] = [:]
    private var nextHandout: Moment

    public init(at now: Moment) {
        nextHandout = now
    }

    /// The connections that there are now: new ones are due at once, those that are gone or inactive are asked no more.
    public mutating func follow(_ connections: [Connection], at now: Moment) {
        let active = connections.filter { $0.status == .active }.map(\.guid)
        entries = entries.filter { active.contains($0.key) }
        for guid in active where entries[guid] == nil { entries[guid] = Entry(due: now) }
    }

    /// The connection to ask at this moment, the longest due first; nil when none is due, or another was just handed out.
    public mutating func take(at now: Moment) -> ConnectionGUID? {
        guard nextHandout <= now,
            let next = entries.filter({ !$0.value.isAsked && $0.value.due <= now })
                .min(by: { ($0.value.due, $0.key.text) < ($1.value.due, $1.key.text) })
        else { return nil }
        entries[next.key]?.isAsked = true
        nextHandout = now + Self.interval / (4 * entries.count)
        return next.key
    }

    /// What came of asking: nil is an answer. `jitter` is a random number from 0 to 1.
    public mutating func heard(_ error: (any Error)?, from connection: ConnectionGUID, at now: Moment, jitter: Double) {
        guard var entry = entries[connection] else { return }
        let bank = error as? BankError
        if bank?.code == .connectionGone {
            entries[connection] = nil
            return
        }
        entry.isAsked = false
        entry.failures = error == nil ? 0 : entry.failures + 1
        let delay = min(Self.interval * (1 << min(entry.failures, 16)), Self.longestBackOff)
        entry.due = now + delay * (0.9 + 0.2 * jitter)
        if let seconds = bank?.retryAfter {
            // Later only: the bank named the earliest moment.
            let wait = min(.seconds(seconds), Self.longestRetryAfter)
            entry.due = max(entry.due, now + wait * (1 + 0.1 * jitter))
        }
        entries[connection] = entry
    }

    /// The next moment at which `take` may hand one out; nil while all are being asked, or there is none.
    public var next: Moment? {
        entries.values.filter { !$0.isAsked }.map(\.due).min().map { max($0, nextHandout) }
    }
}
