import GRDB

/// An action that an authenticator can claim by a QR code (saltedge-v1 section 9.4).
struct InstantAction: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "instantAction"

    enum Kind: String, Codable, Sendable {
        /// The claim creates an authorization.
        case sca
        /// The claim finishes the action at once.
        case plain
        /// The bank refuses the claim.
        case refused
    }

    enum Status: String, Codable, Sendable {
        case pending
        case claimed
        case refused
    }

    var id: Int64?
    var uuid: String
    var bankID: Int64
    /// When set, only this customer's connections may claim it.
    var userID: Int64?
    var protocolVersion: EnrollmentLink.ProtocolVersion
    var kind: Kind
    var title: String
    var returnTo: String?
    var expiresAt: Double
    var status: Status = .pending

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
