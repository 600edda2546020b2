public import Basics
public import FoundationEssentials

/// The content of a decided authorization as it was shown, kept in the log.
public struct ShownCard: Sendable, Equatable, Codable {
    public var connection: ConnectionGUID
    public var connectionName: ConnectionName
    public var bank: BankText
    public var host: String
    public var id: BankID
    public var title: BankText
    /// The whole content as it was shown: already safe, unlike `bank` and `title`, which are as received.
    public var text: String
    /// Values by wire name (`amount`, `payee` …) as they were shown, already safe; empty if the content has none. Nil
    /// in entries of earlier versions, which did not keep them.
    public var fields: [String: String]?
    /// The decrypted plaintext as the bank sealed it; nil in entries of versions that did not keep it.
    public var source: BankText?
    public var code: BankText?
    public var expiresAt: Date?
    public var fingerprint: Fingerprint

    public init(
        connection: ConnectionGUID, connectionName: ConnectionName, bank: BankText, host: String, id: BankID,
        title: BankText, text: String, fields: [String: String]?, source: BankText?, code: BankText?, expiresAt: Date?,
        fingerprint: Fingerprint
    ) {
        self.connection = connection
        self.connectionName = connectionName
        self.bank = bank
        self.host = host
        self.id = id
        self.title = title
        self.text = text
        self.fields = fields
        self.source = source
        self.code = code
        self.expiresAt = expiresAt
        self.fingerprint = fingerprint
    }
}

/// One decision, folded from its events in the log.
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
    /// The probable outcome of an `unknown` one, if the item disappeared at the bank before it expired.
    public var likely: Outcome? {
        guard outcome == .unknown, basis == .inferred else { return nil }
        return verdict == .approve ? .confirmed : .denied
    }
    /// No more news is expected: it is settled, or `unknown` for good (only the bank knows).
    public var isFinal: Bool
    /// It was denied here, but the bank says that it was confirmed.
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
