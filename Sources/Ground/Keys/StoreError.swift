/// Why a store (the database, the log, the state directory) refused. Texts are our own words, safe to show; a remedy is a command,
/// or a few words.
package enum StoreError: Error, Sendable, Equatable {
    case notFound(String)
    /// Another connection has this name.
    case nameTaken(String)
    /// A decision on this authorization (connection, id, code) was sent before, and the bank may have accepted it.
    case alreadyDecided
    /// Another process held the state lock for more than 10 seconds; the text names its pid.
    case busy(String)
    /// The database was written by a newer version; it was not touched.
    case newerSchema(Int, known: Int)
    /// A row or the log was changed from outside, or cannot be read.
    case damaged(String, remedy: String? = nil)
    /// The directory or file cannot be used; the text says why.
    case unusable(String, remedy: String? = nil)

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .nameTaken(let name): "another connection is called \"\(name)\""
        case .alreadyDecided: "a decision on this was sent already and may count"
        case .newerSchema(let found, let known):
            "the database was written by a newer version (schema \(found), we know \(known))"
        case .notFound(let reason), .busy(let reason), .damaged(let reason, _), .unusable(let reason, _): reason
        }
    }
}
