import GRDB

/// A connection as the SCA Service keeps it. The service learns token and public key only when the provider reports
/// success (saltedge-v2 section 11).
struct SCAConnection: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "scaConnection"

    /// saltedge-v2 section 7.1.
    enum Status: String, Codable, Sendable {
        case authenticationPending = "authentication_pending"
        case authenticationFail = "authentication_fail"
        case valid
        case revoked
    }

    var id: Int64
    var providerID: Int64
    var status: Status = .authenticationPending
    var returnURL: String
    var pushToken: String?
    var accessToken: String?
    var publicKey: String?
    var createdAt: Double
}
