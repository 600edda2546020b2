/// A break of the log that the person accepted, as answers have it.
public struct AcceptedBreakPayload: Codable, Sendable, Equatable {
    public var at: Timestamp
    /// Why the verification failed.
    public var reason: String

    /// Nil for none, so that answers without any do not have the member.
    public static func list(_ accepted: [AcceptedBreak]) -> [AcceptedBreakPayload]? {
        accepted.isEmpty ? nil : accepted.map { AcceptedBreakPayload(at: Timestamp($0.at), reason: $0.reason) }
    }
}
