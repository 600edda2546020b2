import Basics
import Display
import Sessions

/// The answer of `history --sessions`, with the result of the check if that was requested.
struct CheckedSessionHistory: Payload {
    let history: SessionHistoryPayload
    let isVerified: Bool

    func encode(to encoder: any Encoder) throws { try history.encode(to: encoder) }

    var ids: [String] { history.events.map(\.hash) }

    func text(_ style: Style) -> String {
        let table =
            history.events.isEmpty
            ? "Nothing has happened to sessions."
            : TextTable(header: ["AT", "SESSION", "HOST", "EVENT", "PROGRAM"])
                .text(history.events.map { Self.row($0).map { DisplayText(answered: $0) } }, style)
        return ([table] + (isVerified ? [LogRemark.text(history.log, history.accepted)] : [])).joined(separator: "\n")
    }

    private static func row(_ entry: SessionHistoryPayload.Entry) -> [String] {
        [
            LocalTime.full(entry.at.date), entry.session, entry.host,
            event(entry.event) + (entry.detail.map { " (\(words($0, entry.event)))" } ?? ""),
            entry.program?.text ?? "",
        ]
    }

    private static func event(_ word: String) -> String {
        word == "completed" ? "a renewal was interrupted and completed" : word.replacing("_", with: " ")
    }

    private static func words(_ detail: String, _ event: String) -> String {
        switch detail {
        case "1": "1 token"
        case _ where event == "handed_out": "\(detail) tokens"
        case "revoked": "its tokens were revoked"
        case "owed": "its tokens are still to be revoked"
        case "local": "the issuer was not told"
        case "rejected": "the issuer no longer accepts it"
        case "interrupted": "the answer to a renewal was lost"
        case "changed": "the issuer answered for somebody else"
        case "time_over": "its time was over"
        case "left": "you left"
        case "cut": "with the tokens it had"
        default: detail.replacing("_", with: " ")
        }
    }
}
