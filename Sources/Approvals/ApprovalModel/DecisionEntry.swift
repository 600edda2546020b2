package import Basics
package import FoundationEssentials

/// The content of a decided authorization as it was shown, kept in the log.
package struct ShownCard: Sendable, Equatable, Codable {
    package var connection: ConnectionGUID
    package var connectionName: ConnectionName
    package var bank: BankText
    package var host: String
    package var id: BankID
    package var title: BankText
    /// The whole content as it was shown: already safe, unlike `bank` and `title`, which are as received.
    package var text: String
    /// Values by wire name (`amount`, `payee` …) as they were shown, already safe; empty if the content has none. Nil
    /// in entries of earlier versions, which did not keep them.
    package var fields: [String: String]?
    /// The decrypted plaintext as the bank sealed it; nil in entries of versions that did not keep it.
    package var source: BankText?
    package var code: BankText?
    package var expiresAt: Date?
    package var fingerprint: Fingerprint

    package init(
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
package struct DecisionEntry: Sendable, Equatable {
    /// The number of its "sending" event.
    package var sequence: Int64
    package var at: Date
    package var shown: ShownCard
    package var verdict: Verdict
    package var requester: Requester
    package var signedBytes: [UInt8]
    package var signature: String
    /// `unknown` while there is no answer.
    package var outcome: Outcome
    package var basis: Basis?
    package var outcomeAt: Date?
    /// The probable outcome of an `unknown` one, if the item disappeared at the bank before it expired.
    package var likely: Outcome? {
        guard outcome == .unknown, basis == .inferred else { return nil }
        return verdict == .approve ? .confirmed : .denied
    }
    /// No more news is expected: it is settled, or `unknown` for good (only the bank knows).
    package var isFinal: Bool
    /// It was denied here, but the bank says that it was confirmed.
    package var isOverturned = false
    /// The MAC of its "sending" event in the chain, hexadecimal.
    package var hash: String

    package init(
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
