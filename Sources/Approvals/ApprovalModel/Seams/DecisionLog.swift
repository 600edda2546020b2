package import Basics
package import FoundationEssentials
package import Keys

/// How a decision without a settled outcome was resolved later.
package enum Resolution: Sendable, Equatable {
    /// The outcome in the bank's own word (`answered`). With `inferred` the outcome stays `unknown` for every value.
    case outcome(Outcome, Basis)
    /// The bank says confirmed although it was denied here, even if it said otherwise before: refused, and an alarm.
    case overturned
    /// Disappeared after it expired: unknown for good.
    case lost
    /// Still listed with the same fingerprint: the person may decide again.
    case stillOpen
}

/// The append-only log of decisions.
package protocol DecisionLog: Sendable {
    /// Appends "sending" with fsync and returns the decision that may be sent, marked as under way. Throws
    /// `StoreError.alreadyDecided` if an earlier decision on this authorization may count. It does not count if it was refused,
    /// unsent or found still open, or was given up as unknown and had the same content.
    func recordSending(_ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date) throws
        -> RecordedDecision
    /// Appends "answered".
    func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws
    /// Appends "resolved" for a decision whose answer never came, or that was `processing`.
    func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws
    /// Whether the bank took a decision on exactly this content.
    func isAnswered(_ authorization: Authorization) throws -> Bool
    /// Whether the call of this decision is running now, in this process or another.
    func isUnderWay(_ sequence: Int64) throws -> Bool
    /// The decisions of one connection that still wait for their outcome.
    func unresolved(of connection: ConnectionGUID) throws -> [DecisionEntry]
    /// The connections with decisions that still wait for their outcome.
    func unresolvedConnections() throws -> Set<ConnectionGUID>
    /// All decisions, oldest first, also those of removed connections.
    func entries() throws -> [DecisionEntry]
    /// Checks every event, the chain, and both copies of its head.
    func verify() throws -> LogVerdict
}
