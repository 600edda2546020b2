public import Basics
public import FoundationEssentials

/// How an undecided outcome was settled later.
public enum Resolution: Sendable, Equatable {
    /// By the bank's own word (`answered`); `inferred` leaves it `unknown`, whatever outcome stands beside it.
    case outcome(Outcome, Basis)
    /// The bank says confirmed of what was denied, whatever it said before: refused, and an alarm.
    case overturned
    /// Gone after it expired: unknown for good.
    case lost
    /// Still listed with the same fingerprint: the person may decide again.
    case stillOpen
}

/// The append-only log of decisions.
public protocol DecisionLog: Sendable {
    /// Appends "sending" (fsync) and gives out what may be sent, marked as under way. Throws `StoreError.alreadyDecided` when
    /// this authorization has a decision that was sent and may count: one that was neither refused nor found still open,
    /// nor given up as unknown for the same content.
    func recordSending(_ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date) throws
        -> RecordedDecision
    /// Appends "answered".
    func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws
    /// Appends "resolved" for a decision whose answer never came, or that was `processing`.
    func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws
    /// Whether the call of this decision runs right now, in this process or another.
    func isUnderWay(_ sequence: Int64) throws -> Bool
    /// Decisions of one connection that still wait for their outcome.
    func unresolved(of connection: ConnectionGUID) throws -> [DecisionEntry]
    /// The connections that have such decisions.
    func unresolvedConnections() throws -> Set<ConnectionGUID>
    /// All decisions, oldest first, also of connections that are gone.
    func entries() throws -> [DecisionEntry]
    /// Checks every event, the chain, and both copies of its head.
    func verify() throws -> LogVerdict
}
