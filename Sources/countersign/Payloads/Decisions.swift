import Approvals
import Basics
import Display
import FoundationEssentials
import Keys

extension DecisionPayload {
    /// The text about a decision that was sent, or that can be sent by hand; else empty.
    var text: String {
        if let error, basis == nil, error.kind != .unknown, code == nil { return "" }
        let time = LocalTime.text(at.date)
        return switch outcome {
        case .confirmed: "approved  \(ref)  confirmed by the bank at \(time)" + codeLines
        case .denied where basis == nil:
            "denied  \(ref)  nothing was sent: the other side is not told, and its request ends by itself"
        case .denied: "denied  \(ref)  denied at the bank at \(time)"
        case .processing:
            "sent  \(ref)  the bank is still working on it; countersign history tells the outcome later"
        case .refused, .expired, .unknown, .unsent: "\(outcome.rawValue)  \(ref)" + codeLines
        }
    }

    /// The code to type at the other side, which is shown only once.
    private var codeLines: String {
        guard let code else { return "" }
        return "\ntype this there now: \(code)" + (codeMessage.map { "\n(the bank says: \($0))" } ?? "")
    }

    /// The text about a decision that another process sent.
    var textFromElsewhere: String {
        "\(decision == .approve ? "approved" : "denied")  \(ref)  elsewhere on this computer: \(outcome.rawValue)"
            + (alarm ? ", ALARM: the bank says confirmed" : "")
            + (likely.map { ", \($0.likelihood)" } ?? "")
    }
}

/// The verdict on a checked log: `intact` or `broken at …`, and each break that was accepted.
enum LogRemark {
    static func text(_ log: String, _ accepted: [AcceptedBreakPayload]?) -> String {
        "The log is \(words(log, accepted)). Whoever knows the PIN could rewrite it; whoever does not, cannot."
    }

    static func words(_ log: String, _ accepted: [AcceptedBreakPayload]?) -> String {
        ([log] + (accepted ?? []).map { "accepted on \(LocalTime.full($0.at.date)): \($0.reason)" })
            .joined(separator: "; ")
    }
}

/// The answer of `approve` and `deny`.
struct DecisionsPayload: Payload {
    var decisions: [DecisionPayload]

    var ids: [String] { decisions.filter { $0.error == nil }.map(\.ref) }

    func text(_ style: Style) -> String { decisions.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// The answer of `history`, with the result of the check if that was requested.
struct CheckedHistory: Payload {
    let history: HistoryPayload
    let isVerified: Bool
    let hasSource: Bool

    func encode(to encoder: any Encoder) throws { try history.encode(to: encoder) }

    var ids: [String] { history.decisions.map(\.ref) }

    func text(_ style: Style) -> String {
        // Within the same second a claim comes first, because the authorization it led to is decided after it.
        let timed =
            (history.actions ?? []).map { ($0.at, Self.row($0)) } + history.decisions.map { ($0.at, Self.row($0)) }
        let rows = timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map { $0.element.1.map { DisplayText(answered: $0) } }
        let sources = history.decisions.map { entry in
            "\n\(entry.ref)\n"
                + (entry.source.map(Terminal.framedLines)
                    ?? "its plaintext was not kept by the version that made this entry")
        }
        let table =
            rows.isEmpty
            ? "No decision has been made."
            : TextTable(header: ["AT", "REF", "TITLE", "DECISION", "OUTCOME"]).text(rows, style)
        let remark = isVerified ? LogRemark.text(history.log, history.accepted) : nil
        return ([table] + (hasSource ? sources : []) + [remark]).compactMap { $0 }.joined(separator: "\n")
    }

    private static func row(_ entry: HistoryPayload.Action) -> [String] {
        [
            LocalTime.full(entry.at.date), entry.authorization ?? entry.connection,
            "action \(entry.action)", "claim",
            entry.outcome.rawValue + (entry.outcome == .unknown ? " (ask the bank)" : ""),
        ]
    }

    private static func row(_ entry: HistoryPayload.Entry) -> [String] {
        [
            LocalTime.full(entry.at.date), entry.ref, entry.title, entry.decision.rawValue,
            entry.outcome.rawValue + remark(entry),
        ]
    }

    private static func remark(_ entry: HistoryPayload.Entry) -> String {
        if entry.alarm { return " (ALARM: the bank says confirmed)" }
        if let likely = entry.likely { return " (\(likely.likelihood))" }
        return entry.final && entry.outcome == .unknown ? " (ask the bank)" : ""
    }
}
