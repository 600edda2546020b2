import GRDB

/// A grant to a third party that one connection can see and revoke (saltedge-v1 section 9.3).
struct Consent: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "consent"

    var id: Int64?
    var connectionID: Int64
    var consentType: String
    var tppName: String
    /// JSON text: the array of accounts.
    var accounts: String
    /// JSON text: the object of shared data, or nothing.
    var sharedData: String?
    var createdAt: Double
    var expiresAt: Double
    var revokedAt: Double?
    /// Which side revoked it: `authenticator` or `bank`.
    var revokedBy: String?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    var wireID: String { String(id ?? 0) }
}
