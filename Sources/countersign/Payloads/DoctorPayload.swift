import Basics
import Display

/// `doctor`
struct DoctorPayload: Payload {
    struct Check: Encodable {
        var name: String
        var ok: Bool
        var message: String
        @OrNull var hint: String?
        /// Whether something is to be known that is not wrong; nothing of it in JSON.
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
