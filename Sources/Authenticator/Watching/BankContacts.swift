import FoundationEssentials
import SCA

/// How recent our knowledge of each bank is, and when to tell watchers. Calls nobody.
struct Hearings {
    /// The pause between two events if nothing changed: shorter than a bank's polling interval, and cheap even with
    /// hundreds of banks.
    private static let interval = Duration.milliseconds(2500)

    /// Whether anybody wants these events.
    var isTold = false
    private var hearings: [ConnectionGUID: Hearing] = [:]
    /// Set when a bank was added or removed, or began or stopped answering.
    private var hasChanged = true
    private var last: ContinuousClock.Instant?

    /// Ordered by the connection's name.
    var all: [Hearing] { hearings.values.sorted { $0.connection.name < $1.connection.name } }

    /// Takes the present connections. Inactive ones are not polled, and are shown as failed until they are reconnected
    /// or revoked.
    mutating func follow(_ connections: [Connection]) {
        let kept = Dictionary(
            connections.map { connection in
                var hearing = hearings[connection.guid] ?? Hearing(connection: connection)
                hearing.connection = connection
                if connection.status == .inactive {
                    if hearing.failure == nil { hasChanged = true }
                    hearing.failure = LookupError(.inactive, wanted: connection.name.text)
                } else if hearing.failure is LookupError {
                    hearing.failure = nil
                    hasChanged = true
                }
                return (connection.guid, hearing)
            },
            uniquingKeysWith: { first, _ in first })
        if kept.mapValues(\.connection.name) != hearings.mapValues(\.connection.name) { hasChanged = true }
        hearings = kept
    }

    /// Takes the result of a call that began at this time.
    mutating func note(_ answer: Inbox.Answer, askedAt start: Date) {
        guard var hearing = hearings[answer.connection.guid] else { return }
        let before = hearing
        switch answer.result {
        case .success: (hearing.at, hearing.failure) = (start, nil)
        case .failure(let error): hearing.failure = error
        }
        if (before.at == nil) != (hearing.at == nil) || (before.failure == nil) != (hearing.failure == nil) {
            hasChanged = true
        }
        hearings[answer.connection.guid] = hearing
    }

    /// The event with all banks, if anybody wants it and it is due.
    mutating func news(at now: ContinuousClock.Instant) -> [WatchEvent] {
        guard isTold, hasChanged || last.map({ now - $0 >= Self.interval }) ?? true else { return [] }
        hasChanged = false
        last = now
        return [.heard(all)]
    }
}
