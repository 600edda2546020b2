import GRDB

/// One pairing of an authenticator with a customer.
struct Connection: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "connection"

    enum Status: String, Codable, Sendable {
        /// The public key was uploaded, but the customer has not signed in yet.
        case pending
        case active
        case revoked
    }

    var id: Int64?
    var bankID: Int64
    /// `nil` before the sign-in, and again when the customer was deleted.
    var userID: Int64?
    var protocolVersion: EnrollmentLink.ProtocolVersion
    var publicKey: String
    var returnURL: String
    var platform: String
    var pushToken: String?
    var accessToken: String?
    var status: Status = .pending
    /// The secret path of the sign-in page that finishes this enrollment.
    var loginSecret: String
    var loginExpiresAt: Double
    var createdAt: Double
    var revokedAt: Double?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The id as text, as v1 sends it.
    var wireID: String { String(id ?? 0) }
}
