import Basics
import SessionModel

extension [DamagedRowsPayload]? {
    /// The rows of these kinds that cannot be read; nil if all can.
    static func list(_ damaged: [SessionRow: Int], _ kinds: [SessionRow] = SessionRow.allCases) -> Self {
        let found = kinds.compactMap { kind in damaged[kind].map { DamagedRowsPayload($0, kind) } }
        return found.isEmpty ? nil : found
    }
}

extension DamagedRowsPayload {
    fileprivate init(_ count: Int, _ kind: SessionRow) {
        let (one, many, remedy) =
            switch kind {
            case .session: ("session", "sessions", "sign in again: countersign login")
            case .tokens: ("session's token set", "sessions' token sets", "sign in again: countersign login NAME")
            case .site: ("site", "sites", "add it again: countersign sites add")
            case .grant: ("grant", "grants", "allow it again: countersign grants add")
            case .owed:
                (
                    "token or registration still to be ended", "tokens or registrations still to be ended",
                    "end it on the issuer's own page"
                )
            case .note:
                (
                    "event that waits for the log", "events that wait for the log",
                    "see what the log has: countersign history --sessions"
                )
            case .departure:
                ("note of how you left", "notes of how you left", "sign out by hand: countersign logout --all")
            }
        self.init(count, one, many, remedy: remedy)
    }
}
