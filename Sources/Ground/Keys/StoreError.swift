/// Why a store (the database, the log, the state directory) refused. Two errors with the same code are equal.
package struct StoreError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        case notFound
        case nameTaken
        /// A decision on this authorization (connection, id, code) was sent before, and the bank may have accepted it.
        case alreadyDecided
        /// Another process held the state lock for more than 10 seconds; the reason names its pid.
        case busy
        /// The database was written by a newer version; it was not touched.
        case newerSchema
        /// A row or the log was changed from outside, or cannot be read.
        case damaged
        /// The directory or file cannot be used; the reason says why.
        case unusable
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String

    /// The remedy for the person: a command, or a few words. Nil where no remedy is known.
    package var remedy: String?

    package init(_ code: Code, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
