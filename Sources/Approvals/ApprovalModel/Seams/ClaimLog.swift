public import Basics
public import FoundationEssentials

/// The log's record of a claimed instant action.
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

/// The result of a claim.
public enum ClaimOutcome: String, Sendable, Codable {
    /// The bank accepted it.
    case claimed
    case refused
    /// No answer came, or none that says whether it was accepted; it cannot be looked up later.
    case unknown
}

/// One claim from the log.
public struct ClaimEntry: Sendable, Equatable {
    public var at: Date
    public var action: ClaimedAction
    public var requester: Requester
    public var outcome: ClaimOutcome
    /// The authorization that the bank asks for because of the claim.
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
    /// Appends, with fsync, that this claim is about to be sent. Returns its number, for `recordClaim`.
    func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64
    /// Appends the bank's answer. For `unknown` nothing is written, since there was no answer.
    func recordClaim(_ outcome: ClaimOutcome, authorization: BankID?, of sequence: Int64, at: Date) throws
    /// All claims, oldest first.
    func claims() throws -> [ClaimEntry]
}
