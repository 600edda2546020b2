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
            entry.eventWords + (entry.detailWords.map { " (\($0))" } ?? ""),
            entry.program?.text ?? "",
        ]
    }
}
