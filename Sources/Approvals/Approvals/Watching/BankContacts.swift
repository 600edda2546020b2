import FoundationEssentials
import ApprovalModel

/// How recent our knowledge of each bank is, and when to inform watchers. Calls nobody.
struct BankContacts {
    /// The pause between two events if nothing changed: shorter than a bank's polling interval, and cheap even with
    /// hundreds of banks.
    private static let interval = Duration.milliseconds(2500)

    /// Whether anybody wants these events.
    var isTold = false
    private var contacts: [ConnectionGUID: BankContact] = [:]
    /// Set when a bank was added or removed, or began or stopped answering.
    private var hasChanged = true
    private var last: ContinuousClock.Instant?

    /// Ordered by the connection's name.
    var all: [BankContact] { contacts.values.sorted { $0.connection.name < $1.connection.name } }

    /// Takes the present connections. Inactive ones are not polled, and are shown as failed until they are reconnected
    /// or revoked.
    mutating func follow(_ connections: [Connection]) {
        let kept = Dictionary(
            connections.map { connection in
                var contact = contacts[connection.guid] ?? BankContact(connection: connection)
                contact.connection = connection
                if connection.status == .inactive {
                    if contact.failure == nil { hasChanged = true }
                    contact.failure = LookupError.inactive(connection.name.text)
                } else if contact.failure is LookupError {
                    contact.failure = nil
                    hasChanged = true
                }
                return (connection.guid, contact)
            },
            uniquingKeysWith: { first, _ in first })
        if kept.mapValues(\.connection.name) != contacts.mapValues(\.connection.name) { hasChanged = true }
        contacts = kept
    }

    /// Takes the result of a call that began at this time.
    mutating func note(_ answer: Inbox.Answer, askedAt start: Date) {
        guard var contact = contacts[answer.connection.guid] else { return }
        let before = contact
        switch answer.result {
        case .success: (contact.at, contact.failure) = (start, nil)
        case .failure(let error): contact.failure = error
        }
        if (before.at == nil) != (contact.at == nil) || (before.failure == nil) != (contact.failure == nil) {
            hasChanged = true
        }
        contacts[answer.connection.guid] = contact
    }

    /// The event with all banks, if anybody wants it and it is due.
    mutating func news(at now: ContinuousClock.Instant) -> [WatchEvent] {
        guard isTold, hasChanged || last.map({ now - $0 >= Self.interval }) ?? true else { return [] }
        hasChanged = false
        last = now
        return [.heard(all)]
    }
}
