public import Basics
public import FoundationEssentials

/// What is kept of an instant action that was claimed.
public struct ClaimedAction: Sendable, Equatable, Codable {
    public var connection: ConnectionGUID
    public var connectionName: ConnectionName
    public var bank: BankText
    public var host: String
    /// The action's id as it stood in the link.
    public var action: BankText

    public init(_ action: ActionLink, for connection: Connection) {
        self.connection = connection.guid
        connectionName = connection.name
        bank = connection.bankName
        host = connection.baseURL.hostForPeople
        self.action = action.id
    }
}

/// What became of a claim.
public enum ClaimOutcome: String, Sendable, Codable {
    /// The bank took it.
    case claimed
    case refused
    /// No answer came, or none that says anything; nothing can be looked up later.
    case unknown
}

/// One claim, as the log has it.
public struct ClaimEntry: Sendable, Equatable {
    public var at: Date
    public var action: ClaimedAction
    public var requester: Requester
    public var outcome: ClaimOutcome
    /// What the bank asks because of it.
    public var authorization: BankID?
    /// The MAC of its first event in the chain, hexadecimal.
    public var hash: String

    public init(
        at: Date, action: ClaimedAction, requester: Requester, outcome: ClaimOutcome, authorization: BankID?,
        hash: String
    ) {
        self.at = at
        self.action = action
        self.requester = requester
        self.outcome = outcome
        self.authorization = authorization
        self.hash = hash
    }
}

/// The claims of instant actions, in the same log as the decisions.
public protocol ClaimLog: Sendable {
    /// Appends that this claim leaves now (fsync); returns the number by which its outcome is told.
    func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64
    /// Appends what the bank said to it. `unknown` is no answer, so nothing is written for it.
    func recordClaim(_ outcome: ClaimOutcome, authorization: BankID?, of sequence: Int64, at: Date) throws
    /// All claims, oldest first.
    func claims() throws -> [ClaimEntry]
}
