package import Basics

/// A break of the log that the person accepted, as answers have it.
package struct AcceptedBreakPayload: Codable, Sendable, Equatable {
    package var at: Timestamp
    /// Why the verification failed.
    package var reason: String

    /// Nil for none, so that answers without any do not have the member.
    package static func list(_ accepted: [AcceptedBreak]) -> [AcceptedBreakPayload]? {
        accepted.isEmpty ? nil : accepted.map { AcceptedBreakPayload(at: Timestamp($0.at), reason: $0.reason) }
    }
}
