package import Basics
package import FoundationEssentials

/// A fact about a session that would otherwise surprise the person.
package enum SessionConcern: Sendable, Equatable {
    /// The tokens of its last renewal could not be written yet, and would be lost with the process that holds them.
    case unsaved
    case ended
    /// The issuer's last answer to a renewal could not be used.
    case failing
    /// It ends by itself at this time.
    case ends(Timestamp)
}

extension SessionPayload {
    /// Nil if all is well, or if the session ends by itself only at `date` or later.
    package func concern(before date: Date) -> SessionConcern? {
        guard saved else { return .unsaved }
        if status == "failing" { return .failing }
        guard status == "active" else { return .ended }
        guard let end = [signOutAt, refreshable ? nil : expiresAt].compactMap(\.self).min(), end.date < date else {
            return nil
        }
        return .ends(end)
    }
}
