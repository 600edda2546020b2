/// Why a store refused. Equality is by code alone.
public struct StoreError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        case notFound
        case nameTaken
        /// This very authorization (connection, id, code) has a decision that was sent and may count.
        case alreadyDecided
        /// Another process held the state lock for more than 10 seconds; the reason names its pid.
        case busy
        /// The database was written by a newer version; it was not touched.
        case newerSchema
        /// A row or the log does not hold together.
        case damaged
        /// The directory or file cannot be used; the reason says why.
        case unusable
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String

    /// What to do about it, where that can be said: a command, or a few words.
    public var remedy: String?

    public init(_ code: Code, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
