public import Basics
public import FoundationEssentials

/// What a person should know of a session before it surprises them.
public enum SessionConcern: Sendable, Equatable {
    /// What its last renewal brought could not be written yet, and would be lost with the process that has it.
    case unsaved
    case ended
    /// It ends by itself then.
    case ends(Timestamp)
}

extension SessionPayload {
    /// Nil where all is well, and where it ends by itself not before this time.
    public func concern(before date: Date) -> SessionConcern? {
        guard saved else { return .unsaved }
        guard status == "active" else { return .ended }
        guard let end = [signOutAt, refreshable ? nil : expiresAt].compactMap(\.self).min(), end.date < date else {
            return nil
        }
        return .ends(end)
    }
}
