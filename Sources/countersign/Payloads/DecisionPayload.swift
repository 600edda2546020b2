import Authenticator
import Display
import FoundationEssentials
import SCA

/// One decision of `approve` or `deny`, as JSON and as a line.
struct DecisionPayload: Encodable {
    var ref: String
    var decision: String
    var outcome: String
    @OrNull var basis: String?
    @OrNull var fingerprint: String?
    var at: String
    @OrNull var error: FailurePayload.Content?

    private let line: String

    init(_ ref: String, _ verdict: Verdict, _ decided: Decided, fingerprint: Fingerprint, failure: Failure?) {
        self.ref = ref
        decision = verdict.rawValue
        outcome = decided.outcome.rawValue
        basis = decided.basis?.rawValue
        self.fingerprint = fingerprint.hex
        at = Timestamp.format(decided.at)
        error = failure.map { FailurePayload($0).error }
        let time = LocalTime.text(decided.at)
        line =
            switch decided.outcome {
            case .confirmed: "approved  \(ref)  confirmed by the bank at \(time)"
            case .denied: "denied  \(ref)  denied at the bank at \(time)"
            case .processing:
                "sent  \(ref)  the bank is still working on it; countersign history tells the outcome later"
            case .refused, .expired, .unknown: "\(decided.outcome.rawValue)  \(ref)"
            }
    }

    /// A decision that was not sent.
    init(_ ref: String, _ verdict: Verdict, fingerprint: Fingerprint?, at: Date, failure: Failure) {
        self.ref = ref
        decision = verdict.rawValue
        outcome = (failure.kind == .expired ? Outcome.expired : .refused).rawValue
        basis = nil
        self.fingerprint = fingerprint?.hex
        self.at = Timestamp.format(at)
        error = FailurePayload(failure).error
        line = ""
    }

    /// A decision as the log has it.
    init(_ ref: String, _ entry: DecisionEntry) {
        self.ref = ref
        decision = entry.verdict.rawValue
        outcome = entry.outcome.rawValue
        basis = entry.basis?.rawValue
        fingerprint = entry.shown.fingerprint.hex
        at = Timestamp.format(entry.outcomeAt ?? entry.at)
        error = nil
        line = "\(entry.verdict == .approve ? "approved" : "denied")  \(ref)  elsewhere on this computer: \(outcome)"
    }

    private enum CodingKeys: String, CodingKey {
        case ref, decision, outcome, basis, fingerprint, at, error
    }

    var text: String { line }
}

/// `approve`, `deny`
struct DecisionsPayload: Payload {
    var decisions: [DecisionPayload]

    var ids: [String] { decisions.filter { $0.error == nil }.map(\.ref) }

    func text(_ style: Style) -> String { decisions.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// `history`
struct HistoryPayload: Payload {
    struct Entry: Encodable {
        var at: String
        var ref: String
        var bank: String
        var title: String
        var text: String
        var decision: String
        var outcome: String
        @OrNull var basis: String?
        var fingerprint: String
        var hash: String
    }

    var decisions: [Entry]
    var log: String
    private let rows: [[DisplayText]]
    private let remark: String?

    init(_ entries: [DecisionEntry], verdict: LogVerdict, verified: Bool) {
        decisions = entries.map { entry in
            Entry(
                at: Timestamp.format(entry.at), ref: Reference.text(entry.shown.connectionName, entry.shown.id),
                bank: DisplayText(entry.shown.bank).line,
                title: DisplayText(entry.shown.title).line, text: entry.shown.text,
                decision: entry.verdict.rawValue, outcome: entry.outcome.rawValue, basis: entry.basis?.rawValue,
                fingerprint: entry.shown.fingerprint.hex, hash: entry.hash)
        }
        switch verdict {
        case .intact: log = "intact"
        case .broken(let place): log = "broken at \(place)"
        }
        rows = entries.map { entry in
            [
                DisplayText(LocalTime.full(entry.at)),
                DisplayText(Reference.text(entry.shown.connectionName, entry.shown.id)),
                DisplayText(entry.shown.title), DisplayText(entry.verdict.rawValue),
                DisplayText(
                    entry.outcome.rawValue + (entry.basis == .inferred ? " (inferred)" : "")
                        + (entry.isFinal && entry.outcome == .unknown ? " (ask the bank)" : "")),
            ]
        }
        remark =
            verified
            ? "The log is \(log). Whoever knows the PIN could rewrite it; whoever does not, cannot." : nil
    }

    private enum CodingKeys: String, CodingKey { case decisions, log }

    var ids: [String] { decisions.map(\.ref) }

    func text(_ style: Style) -> String {
        let table =
            rows.isEmpty
            ? "No decision has been made."
            : TextTable(header: ["AT", "REF", "TITLE", "DECISION", "OUTCOME"]).text(rows, style)
        return [table, remark].compactMap { $0 }.joined(separator: "\n")
    }
}
