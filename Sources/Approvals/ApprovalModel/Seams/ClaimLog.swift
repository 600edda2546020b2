package import Basics
package import FoundationEssentials

/// The log's record of a claimed instant action.
package struct ClaimedAction: Sendable, Equatable, Codable {
    package var connection: ConnectionGUID
    package var connectionName: ConnectionName
    package var bank: BankText
    package var host: String
    /// The action's id as it stood in the link.
    package var action: BankText

    package init(_ action: ActionLink, for connection: Connection) {
        self.connection = connection.guid
        connectionName = connection.name
        bank = connection.bankName
        host = connection.baseURL.hostForPeople
        self.action = action.id
    }
}

/// The result of a claim.
package enum ClaimOutcome: String, Sendable, Codable {
    /// The bank accepted it.
    case claimed
    case refused
    /// No answer came, or none that says whether it was accepted; it cannot be looked up later.
    case unknown
}

/// One claim from the log.
package struct ClaimEntry: Sendable, Equatable {
    package var at: Date
    package var action: ClaimedAction
    package var requester: Requester
    package var outcome: ClaimOutcome
    /// The authorization that the bank asks for because of the claim.
    package var authorization: BankID?
    /// The MAC of its first event in the chain, hexadecimal.
    package var hash: String

    package init(
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
package protocol ClaimLog: Sendable {
    /// Appends, with fsync, that this claim is about to be sent. Returns its number, for `recordClaim`.
    func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64
    /// Appends the bank's answer. For `unknown` nothing is written, since there was no answer.
    func recordClaim(_ outcome: ClaimOutcome, authorization: BankID?, of sequence: Int64, at: Date) throws
    /// All claims, oldest first.
    func claims() throws -> [ClaimEntry]
}
