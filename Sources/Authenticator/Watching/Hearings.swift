import FoundationEssentials
import SCA

/// Keeps since when what each bank says is known. It asks nobody.
struct Hearings {
    /// From one time that all is told to the next, where nothing began or ceased: less than the time between two polls of one
    /// bank, and no burden where there are hundreds.
    private static let interval = Duration.milliseconds(2500)

    /// Whether somebody wants to be told.
    var isTold = false
    private var hearings: [ConnectionGUID: Hearing] = [:]
    /// A bank came, went, began to answer or ceased to.
    private var hasChanged = true
    private var last: ContinuousClock.Instant?

    /// By connection's name.
    var all: [Hearing] { hearings.values.sorted { $0.connection.name < $1.connection.name } }

    /// The connections as they are now. Inactive ones are not asked, and so not heard, until they are settled here.
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

    /// What came of asking at this moment.
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

    /// All, where somebody wants to be told and it is time.
    mutating func news(at now: ContinuousClock.Instant) -> [WatchEvent] {
        guard isTold, hasChanged || last.map({ now - $0 >= Self.interval }) ?? true else { return [] }
        hasChanged = false
        last = now
        return [.heard(all)]
    }
}
