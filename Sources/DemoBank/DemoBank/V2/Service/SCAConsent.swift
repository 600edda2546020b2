import GRDB

/// A consent as the SCA Service keeps it. Its id is the service's own and differs from the provider's id inside the
/// envelope (saltedge-v2 section 9).
struct SCAConsent: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "scaConsent"

    /// Added to the provider's id, so that the two ids differ.
    static let idOffset: Int64 = 5000

    var id: Int64
    var connectionID: Int64
    var consentID: Int64
    var key: String
    var iv: String
    var data: String
}
