import Authenticator
import Display
public import FoundationEssentials
public import SCA

/// What became of one decision, as JSON.
public struct DecisionPayload: Codable, Sendable, Equatable {
    public var ref: String
    public var decision: Verdict
    public var outcome: Outcome
    @OrNull public var basis: Basis?
    @OrNull public var fingerprint: String?
    public var at: String
    @OrNull public var error: FailurePayload.Content?
    /// Only there when the bank has the decision and the log could not take its outcome: why.
    public var warning: String?

    init(_ ref: String, _ verdict: Verdict, _ decided: Decided, fingerprint: Fingerprint, failure: Failure?) {
        self.ref = ref
        decision = verdict
        outcome = decided.outcome
        basis = decided.basis
        self.fingerprint = fingerprint.hex
        at = Timestamp.format(decided.at)
        error = failure.map { FailurePayload($0).error }
        warning = decided.unrecorded.map { "the outcome could not be written down: \(Failure($0).message)" }
    }

    /// A decision that was not sent, or of which it is not known whether it was.
    public init(_ ref: String, _ verdict: Verdict, fingerprint: Fingerprint?, at: Date, failure: Failure) {
        self.ref = ref
        decision = verdict
        outcome =
            switch failure.kind {
            case .expired: .expired
            case .unknown: .unknown
            default: .refused
            }
        basis = nil
        self.fingerprint = fingerprint?.hex
        self.at = Timestamp.format(at)
        error = FailurePayload(failure).error
    }

    /// A decision as the log has it.
    init(_ ref: String, _ entry: DecisionEntry) {
        self.ref = ref
        decision = entry.verdict
        outcome = entry.outcome
        basis = entry.basis
        fingerprint = entry.shown.fingerprint.hex
        at = Timestamp.format(entry.outcomeAt ?? entry.at)
        error = nil
    }
}

/// `history`
public struct HistoryPayload: Codable, Sendable, Equatable {
    public struct Entry: Codable, Sendable, Equatable {
        public var at: String
        public var ref: String
        public var bank: String
        public var title: String
        public var text: String
        public var decision: Verdict
        public var outcome: Outcome
        @OrNull public var basis: Basis?
        /// Nothing more is awaited: an `unknown` outcome then stays unknown, and only the bank can tell.
        public var final: Bool
        public var fingerprint: String
        public var hash: String

        init(_ entry: DecisionEntry) {
            at = Timestamp.format(entry.at)
            ref = Reference.text(entry.shown.connectionName, entry.shown.id)
            bank = DisplayText(entry.shown.bank).line
            title = DisplayText(entry.shown.title).line
            text = entry.shown.text
            decision = entry.verdict
            outcome = entry.outcome
            basis = entry.basis
            final = entry.isFinal
            fingerprint = entry.shown.fingerprint.hex
            hash = entry.hash
        }
    }

    public var decisions: [Entry]
    /// `intact`, or `broken at …`.
    public var log: String

    init(_ entries: [DecisionEntry], _ verdict: LogVerdict) {
        decisions = entries.map(Entry.init)
        switch verdict {
        case .intact: log = "intact"
        case .broken(let place): log = "broken at \(place)"
        }
    }

    public var isIntact: Bool { log == "intact" }
}
