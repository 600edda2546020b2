public import Basics
public import FoundationEssentials

/// What is kept of an authorization with its decision: what was shown.
public struct ShownCard: Sendable, Equatable, Codable {
    public var connection: ConnectionGUID
    public var connectionName: ConnectionName
    public var bank: BankText
    public var host: String
    public var id: BankID
    public var title: BankText
    /// The whole content as it was shown: safe already, unlike bank and title, which stand as received.
    public var text: String
    /// The decrypted plaintext as the bank sealed it; nil in entries of versions that did not keep it.
    public var source: BankText?
    public var code: BankText?
    public var expiresAt: Date
    public var fingerprint: Fingerprint

    public init(
        connection: ConnectionGUID, connectionName: ConnectionName, bank: BankText, host: String, id: BankID,
        title: BankText, text: String, source: BankText?, code: BankText?, expiresAt: Date, fingerprint: Fingerprint
    ) {
        self.connection = connection
        self.connectionName = connectionName
        self.bank = bank
        self.host = host
        self.id = id
        self.title = title
        self.text = text
        self.source = source
        self.code = code
        self.expiresAt = expiresAt
        self.fingerprint = fingerprint
    }
}

/// One decision, folded from its events.
public struct DecisionEntry: Sendable, Equatable {
    /// The number of its "sending" event.
    public var sequence: Int64
    public var at: Date
    public var shown: ShownCard
    public var verdict: Verdict
    public var requester: Requester
    public var signedBytes: [UInt8]
    public var signature: String
    /// `unknown` while there is no answer.
    public var outcome: Outcome
    public var basis: Basis?
    public var outcomeAt: Date?
    /// What `unknown` probably is, where the item was gone at the bank before it expired.
    public var likely: Outcome? {
        guard outcome == .unknown, basis == .inferred else { return nil }
        return verdict == .approve ? .confirmed : .denied
    }
    /// Nothing more is awaited: settled, or `unknown` for good (only the bank can tell).
    public var isFinal: Bool
    /// It was denied, and the bank says that it was confirmed.
    public var isOverturned = false
    /// The MAC of its "sending" event in the chain, hexadecimal.
    public var hash: String

    public init(
        sequence: Int64, at: Date, shown: ShownCard, verdict: Verdict, requester: Requester, signedBytes: [UInt8],
        signature: String, outcome: Outcome, basis: Basis?, outcomeAt: Date?, isFinal: Bool, hash: String
    ) {
        self.sequence = sequence
        self.at = at
        self.shown = shown
        self.verdict = verdict
        self.requester = requester
        self.signedBytes = signedBytes
        self.signature = signature
        self.outcome = outcome
        self.basis = basis
        self.outcomeAt = outcomeAt
        self.isFinal = isFinal
        self.hash = hash
    }
}

/// What a check of the chain found.
public enum LogVerdict: Sendable, Equatable {
    case intact(events: Int)
    /// Our own words: which event, and what is wrong with it.
    case broken(String)
}

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
