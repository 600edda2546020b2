package import Basics
package import FoundationEssentials
import ApprovalModel

/// An event for watchers, and when it happened.
package struct Event: Sendable {
    package enum Kind: Sendable {
        /// A request arrived, or was waiting already.
        case added(Card)
        /// A request has other content under the same id.
        case changed(Card)
        /// A request no longer waits. If its connection was renamed, it goes on waiting under the reference
        /// `renamedTo`, and `added` follows.
        case removed(Card, renamedTo: String?)
        /// A request was decided on this computer, by any process; `removed` follows.
        case decided(DecisionPayload)
        /// A bank began to fail, or fails in another way, or one of its items cannot be read.
        case failure(BankFailurePayload)
        /// A bank that failed answers again.
        case recovered(connection: String)
        /// How recent our knowledge of each bank is. Sent when a bank begins or stops answering, and every few seconds.
        case heard([BankContactPayload])
        /// All content is wiped; no content follows before the PIN.
        case locked
        /// The PIN was entered; the waiting requests follow as `added`.
        case unlocked
        /// How many requests wait, while their content may not be shown.
        case waiting(Int)
    }

    /// Rounded down to a second, like its JSON.
    package let at: Date
    package private(set) var kind: Kind

    package init(_ kind: Kind, at now: Date) {
        self.kind = kind
        at = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    }

    package init(telling event: WatchEvent, at now: Date) {
        func card(_ item: Inbox.Item) -> Card { Card(item.authorization, of: item.connection) }
        let kind: Kind =
            switch event {
            case .added(let item), .renamed(let item): .added(card(item))
            case .changed(let item): .changed(card(item))
            case .removed(let item): .removed(card(item), renamedTo: nil)
            case .renaming(let item, let name):
                .removed(card(item), renamedTo: Reference.text(name, item.authorization.id))
            case .decided(let item, let entry): .decided(DecisionPayload(item.reference, entry))
            case .failure(let connection, let error): .failure(BankFailurePayload(connection.name, Failure(error)))
            case .recovered(let connection): .recovered(connection: connection.name.text)
            case .heard(let contacts): .heard(contacts.map(BankContactPayload.init))
            }
        self.init(kind, at: now)
    }

    /// The card of the authorization that was added, changed or removed; nil for other events.
    package var card: Card? {
        switch kind {
        case .added(let card), .changed(let card), .removed(let card, _): card
        case .decided, .failure, .recovered, .heard, .locked, .unlocked, .waiting: nil
        }
    }

    /// The same event with this newer card, if it carries a card.
    package func with(_ card: Card) -> Event {
        var event = self
        switch kind {
        case .added: event.kind = .added(card)
        case .changed: event.kind = .changed(card)
        case .removed(_, let reference): event.kind = .removed(card, renamedTo: reference)
        case .decided, .failure, .recovered, .heard, .locked, .unlocked, .waiting: break
        }
        return event
    }
}

/// How recent our knowledge of one polled bank is.
package struct BankContactPayload: Codable, Sendable, Equatable {
    package var connection: String
    /// Our knowledge of the bank is at least as recent as this; null before its first answer.
    @OrNull package var heardAt: Timestamp?
    /// Why the bank fails; null while it answers.
    @OrNull package var failure: BankFailurePayload?

    init(_ contact: BankContact) {
        connection = contact.connection.name.text
        heardAt = contact.at.map { Timestamp($0) }
        failure = contact.failure.map { BankFailurePayload(contact.connection.name, Failure($0)) }
    }
}
