import GRDB

/// A consent as the SCA Service knows it. Its id is the service's own and differs from the provider's inside the bundle
/// (v2 section 9).
struct SCAConsent: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "scaConsent"

    /// Keeps the two ids apart.
    static let idOffset: Int64 = 5000

    var id: Int64
    var connectionID: Int64
    var consentID: Int64
    var key: String
    var iv: String
    var data: String
}
