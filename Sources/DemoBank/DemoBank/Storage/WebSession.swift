import GRDB

/// A signed-in browser. The cookie's value is not stored, only its digest.
struct WebSession: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "webSession"

    var digest: String
    var userID: Int64
    /// A token in every form of the session's pages, without which a form is refused.
    var formToken: String
    var expiresAt: Double
}
