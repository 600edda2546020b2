package import Basics
import Display
package import FoundationEssentials
package import ApprovalModel

/// The result of one decision, as JSON.
package struct DecisionPayload: Codable, Sendable, Equatable {
    package var ref: String
    /// It was denied here, but the bank says that it was confirmed.
    package var alarm: Bool
    package var decision: Verdict
    package var outcome: Outcome
    @OrNull package var basis: Basis?
    /// The probable outcome of an `unknown` one (`DecisionEntry.likely`).
    @OrNull package var likely: Outcome?
    @OrNull package var fingerprint: String?
    package var at: Timestamp
    @OrNull package var error: FailurePayload.Content?
    /// The code that the person types at the other side, shown only once; `codeMessage` is the bank's instruction for
    /// it.
    @OrNull package var code: String?
    @OrNull package var codeMessage: String?
    /// How many more wrong responses the bank accepts, if it said so. This is the bank's count, not the PIN's.
    @OrNull package var attemptsLeft: Int?
    /// Present only if the bank has the decision, but its outcome could not be logged, or its code cannot be shown: the
    /// reason.
    package var warning: String?

    init(_ ref: String, _ verdict: Verdict, _ decided: Decided, fingerprint: Fingerprint, failure: Failure?) {
        self.ref = ref
        alarm = decided.error?.kind == .denialOverturned
        decision = verdict
        outcome = decided.outcome
        basis = decided.basis
        likely = nil
        self.fingerprint = fingerprint.hex
        at = Timestamp(decided.at)
        error = failure.map { FailurePayload($0).error }
        attemptsLeft = decided.attemptsLeft
        let unrecorded = decided.unrecorded.map { "the outcome could not be written down: \(Failure($0).message)" }
        switch decided.code {
        case .text(let text, let message)?:
            (code, codeMessage) = (DisplayText(text).line, message.map { DisplayText($0).line(within: 200) })
            warning = unrecorded
        case .unreadable?:
            (code, codeMessage) = (nil, nil)
            warning = unrecorded ?? "the bank sent a code that cannot be shown; begin again at the other side"
        case nil: (code, codeMessage, warning) = (nil, nil, unrecorded)
        }
    }

    /// A decision that was not sent, or that may have been sent.
    package init(_ ref: String, _ verdict: Verdict, fingerprint: Fingerprint?, at: Date, failure: Failure) {
        self.ref = ref
        alarm = false
        decision = verdict
        outcome =
            switch failure.kind {
            case .expired: .expired
            // An authorization that is gone may have been decided, here or elsewhere.
            case .unknown, .notFound: .unknown
            case .unreachable: .unsent
            case .usage, .cancelled, .locked, .ambiguous, .refused, .secretService, .damaged, .changed, .internal,
                .alreadyRuns,
                .signedOut:
                .refused
            }
        basis = nil
        likely = nil
        self.fingerprint = fingerprint?.hex
        self.at = Timestamp(at)
        error = FailurePayload(failure).error
        (code, codeMessage, attemptsLeft) = (nil, nil, nil)
    }

    /// A decision from the log.
    package init(_ ref: String, _ entry: DecisionEntry) {
        self.ref = ref
        alarm = entry.isOverturned
        decision = entry.verdict
        outcome = entry.outcome
        basis = entry.basis
        likely = entry.likely
        fingerprint = entry.shown.fingerprint.hex
        at = Timestamp(entry.outcomeAt ?? entry.at)
        error = nil
        (code, codeMessage, attemptsLeft) = (nil, nil, nil)
    }
}
