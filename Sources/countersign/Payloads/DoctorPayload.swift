import Basics
import Display

/// The answer of `doctor`.
struct DoctorPayload: Payload {
    struct Check: Encodable {
        var name: String
        var ok: Bool
        var message: String
        @OrNull var hint: String?
        /// Whether the person should know it although it is not wrong. Not in the JSON.
        var isNote = false

        private enum CodingKeys: CodingKey { case name, ok, message, hint }

        fileprivate var label: String {
            switch (ok, isNote) {
            case (true, false): "ok   "
            case (true, true): "note "
            case (false, _): "WRONG"
            }
        }
    }

    var checks: [Check]

    var ids: [String] { checks.filter { !$0.ok }.map(\.name) }

    func text(_ style: Style) -> String {
        checks.map { check in
            "\(check.label)  \(check.name): \(check.message)"
                + (check.hint.map { "\n       hint: \($0)" } ?? "")
        }.joined(separator: "\n")
    }
}
