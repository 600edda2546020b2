import GRDB

/// Something that one connection is asked to confirm or deny, as the bank knows it.
struct Authorization: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "authorization"

    enum Status: String, Codable, Sendable {
        case pending
        case confirmed
        case denied
        /// Decided on another connection of the customer, or withdrawn by the bank.
        case closed
        /// v2: a decision came that the bank could not use.
        case error
    }

    var id: Int64?
    var connectionID: Int64
    /// Items made at once for several connections of a customer share it.
    var groupID: String
    /// Whether each connection of the group decides for itself.
    var isMultiple = false
    var title: String
    /// JSON text: a string (plain text or a page of HTML), or the object of v2 section 8.3.
    var description: String
    var code: String
    var createdAt: Double
    var expiresAt: Double
    var oddities = Oddities()
    var status: Status = .pending
    var decidedAt: Double?
    var authorizationType: String?
    var geolocation: String?
    var userAgent: String?
    var decisionsReceived = 0

    /// What a test ordered to be unusual about an item.
    struct Oddities: Codable, Sendable {
        var createdAtText: String?
        var expiresAtText: String?
        var algorithm: String?
        var corruption: String?
        var plaintext: String?
        /// v2: the final status word, whatever was decided.
        var outcome: String?
        /// v2: how many looks find it in processing, in place of the bank's setting.
        var polls: Int?
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The id as it goes over the wire of v1.
    var wireID: String { String(id ?? 0) }

    func isOpen(at now: Double) -> Bool { status == .pending && expiresAt > now }

    /// The bank's own word for the state of the item.
    func statusText(at now: Double) -> String {
        status == .pending && expiresAt <= now ? "expired" : status.rawValue
    }
}
