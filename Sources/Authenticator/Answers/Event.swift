public import Basics
public import FoundationEssentials
import SCA

/// What happened while someone watches, and when.
public struct Event: Sendable {
    public enum Kind: Sendable {
        /// Came, or waits since before.
        case added(Card)
        /// Has other content under the same id.
        case changed(Card)
        /// No longer waits. Where its connection got another name it waits on under the reference `renamedTo`; `added` follows.
        case removed(Card, renamedTo: String?)
        /// Decided on this computer, by whichever process; `removed` follows.
        case decided(DecisionPayload)
        /// A bank began to fail, or to fail in another way, or one of its items cannot be read.
        case failure(BankFailurePayload)
        /// A bank that failed answers again.
        case recovered(connection: String)
        /// Since when what each bank says is known. Told when one begins or ceases to answer, else every few seconds.
        case heard([HearingPayload])
        /// All content is wiped; nothing is told before the PIN.
        case locked
        /// The PIN was entered; what waits follows as `added`.
        case unlocked
        /// How many wait, while nothing more may be told.
        case waiting(Int)
    }

    /// Rounded down to a second, as its JSON has it.
    public let at: Date
    public private(set) var kind: Kind

    public init(_ kind: Kind, at now: Date) {
        self.kind = kind
        at = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    }

    public init(telling event: WatchEvent, at now: Date) {
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
            case .heard(let hearings): .heard(hearings.map(HearingPayload.init))
            }
        self.init(kind, at: now)
    }

    /// The authorization that came, changed or left.
    public var card: Card? {
        switch kind {
        case .added(let card), .changed(let card), .removed(let card, _): card
        case .decided, .failure, .recovered, .heard, .locked, .unlocked, .waiting: nil
        }
    }

    /// The same of an authorization whose card reads like this by now.
    public func with(_ card: Card) -> Event {
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

/// One bank that is asked: since when what it says is known.
public struct HearingPayload: Codable, Sendable, Equatable {
    public var connection: String
    /// What is known of it is at least as new; null before its first answer.
    @OrNull public var heardAt: String?
    /// How it fails; null while it answers.
    @OrNull public var failure: BankFailurePayload?

    init(_ hearing: Hearing) {
        connection = hearing.connection.name.text
        heardAt = hearing.at.map(Timestamp.format)
        failure = hearing.failure.map { BankFailurePayload(hearing.connection.name, Failure($0)) }
    }
}
