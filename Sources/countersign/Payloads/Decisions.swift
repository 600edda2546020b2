import Agent
import Display
import FoundationEssentials
import SCA

extension DecisionPayload {
    /// What a person reads of a decision that was sent; empty when it was not.
    var text: String {
        if error != nil, basis == nil, outcome != .unknown { return "" }
        let time = Timestamp.parse(at).map(LocalTime.text) ?? at
        return switch outcome {
        case .confirmed: "approved  \(ref)  confirmed by the bank at \(time)"
        case .denied: "denied  \(ref)  denied at the bank at \(time)"
        case .processing:
            "sent  \(ref)  the bank is still working on it; countersign history tells the outcome later"
        case .refused, .expired, .unknown: "\(outcome.rawValue)  \(ref)"
        }
    }

    /// The same of one that another process sent.
    var textFromElsewhere: String {
        "\(decision == .approve ? "approved" : "denied")  \(ref)  elsewhere on this computer: \(outcome.rawValue)"
    }
}

/// `approve`, `deny`
struct DecisionsPayload: Payload {
    var decisions: [DecisionPayload]

    var ids: [String] { decisions.filter { $0.error == nil }.map(\.ref) }

    func text(_ style: Style) -> String { decisions.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// `history`, with a word about the check where it was asked for.
struct CheckedHistory: Payload {
    let history: HistoryPayload
    let isVerified: Bool

    func encode(to encoder: any Encoder) throws { try history.encode(to: encoder) }

    var ids: [String] { history.decisions.map(\.ref) }

    func text(_ style: Style) -> String {
        let rows = history.decisions.map { Self.row($0).map { DisplayText(answered: $0) } }
        let table =
            rows.isEmpty
            ? "No decision has been made."
            : TextTable(header: ["AT", "REF", "TITLE", "DECISION", "OUTCOME"]).text(rows, style)
        let remark =
            isVerified
            ? "The log is \(history.log). Whoever knows the PIN could rewrite it; whoever does not, cannot." : nil
        return [table, remark].compactMap { $0 }.joined(separator: "\n")
    }

    private static func row(_ entry: HistoryPayload.Entry) -> [String] {
        [
            Timestamp.parse(entry.at).map(LocalTime.full) ?? entry.at, entry.ref, entry.title, entry.decision.rawValue,
            entry.outcome.rawValue + (entry.basis == .inferred ? " (inferred)" : "")
                + (entry.final && entry.outcome == .unknown ? " (ask the bank)" : ""),
        ]
    }
}
