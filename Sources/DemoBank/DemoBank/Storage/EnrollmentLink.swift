import GRDB

/// A link that the bank showed as a QR code to one of its customers.
struct EnrollmentLink: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "enrollmentLink"

    enum ProtocolVersion: String, Codable, Sendable {
        case v1
        case v2
    }

    /// The answer to a valid `connect_query` of v1: the token at once (the Java server), or the redirect as
    /// `connect_url` (the Ruby server).
    enum InstantStyle: String, Codable, Sendable {
        case token
        case redirect
    }

    var id: Int64?
    var bankID: Int64
    var userID: Int64
    var protocolVersion: ProtocolVersion
    /// The one-time secret of an instant enrollment.
    var connectQuery: String?
    var instantStyle: InstantStyle
    var expiresAt: Double
    var isUsed = false

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
