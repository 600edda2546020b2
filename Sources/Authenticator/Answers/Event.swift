public import Basics
public import FoundationEssentials
import SCA

/// What happens while someone watches. Of the members below `at` those are there that belong to its kind.
public struct Event: Codable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// `authorization`: came, has other content under the same id, no longer waits (under this reference, where `renamedTo`
        /// names another one).
        case added, changed, removed
        /// `decision`: decided on this computer, by whichever process; `removed` follows.
        case decided
        /// `failure`: a bank began to fail, or to fail in another way, or one of its items cannot be read.
        case failure
        /// `connection`: a bank that failed answers again.
        case recovered
        /// `banks`: since when what each bank says is known. Told when one begins or ceases to answer, else every few seconds.
        case heard
        /// All content is wiped; nothing is told before the PIN.
        case locked
        /// The PIN was entered; what waits follows as `added`.
        case unlocked
        /// `waiting`: how many wait, while nothing more may be told.
        case waiting
    }

    public var event: Kind
    public var at: String
    public var authorization: Card?
    /// Of `removed`: the reference under which it waits on, since its connection got another name; `added` follows.
    public var renamedTo: String?
    public var decision: DecisionPayload?
    public var failure: BankFailurePayload?
    public var connection: String?
    public var waiting: Int?
    public var banks: [HearingPayload]?

    public init(_ kind: Kind, at now: Date, waiting: Int? = nil) {
        event = kind
        at = Timestamp.format(now)
        self.waiting = waiting
    }

    /// Something waits.
    public init(_ card: Card, at now: Date) {
        self.init(.added, at: now)
        authorization = card
    }

    public init(_ failure: BankFailurePayload, at now: Date) {
        self.init(.failure, at: now)
        self.failure = failure
    }

    /// What is known of the banks.
    public init(_ hearings: [Hearing], at now: Date) {
        self.init(.heard, at: now)
        banks = hearings.map(HearingPayload.init)
    }

    public init(_ event: WatchEvent, at now: Date) {
        at = Timestamp.format(now)
        func card(_ item: Inbox.Item) -> Card { Card(item.authorization, of: item.connection) }
        switch event {
        case .added(let item): (self.event, authorization) = (.added, card(item))
        case .changed(let item): (self.event, authorization) = (.changed, card(item))
        case .removed(let item): (self.event, authorization) = (.removed, card(item))
        case .renaming(let item, let name):
            (self.event, authorization) = (.removed, card(item))
            renamedTo = Reference.text(name, item.authorization.id)
        case .renamed(let item): (self.event, authorization) = (.added, card(item))
        case .decided(let item, let entry): (self.event, decision) = (.decided, DecisionPayload(item.reference, entry))
        case .failure(let connection, let error):
            (self.event, failure) = (.failure, BankFailurePayload(connection.name, Failure(error)))
        case .recovered(let connection): (self.event, self.connection) = (.recovered, connection.name.text)
        case .heard(let hearings): self = Event(hearings, at: now)
        }
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
