import GRDB

/// A request to one connection to confirm or deny something, as the bank keeps it.
struct Authorization: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "authorization"

    enum Status: String, Codable, Sendable {
        case pending
        case confirmed
        case denied
        /// Decided on another connection of the customer, or withdrawn by the bank.
        case closed
        /// v2: the bank received a decision that it could not use.
        case error
    }

    var id: Int64?
    var connectionID: Int64
    /// The same for items that were made together for several connections of a customer.
    var groupID: String
    /// Whether each connection of the group decides for itself.
    var isMultiple = false
    var title: String
    /// JSON text: a string (plain text or a page of HTML), or the object of saltedge-v2 section 8.3.
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

    /// Peculiarities of an item that a test asked for.
    struct Oddities: Codable, Sendable {
        var createdAtText: String?
        var expiresAtText: String?
        var algorithm: String?
        var corruption: String?
        var plaintext: String?
        /// v2: the final status word, for every decision.
        var outcome: String?
        /// v2: how often the item is listed as processing after a decision, in place of the bank's setting.
        var polls: Int?
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The id as text, as v1 sends it.
    var wireID: String { String(id ?? 0) }

    func isOpen(at now: Double) -> Bool { status == .pending && expiresAt > now }

    /// The state of the item, as the bank's pages and the admin API name it.
    func statusText(at now: Double) -> String {
        status == .pending && expiresAt <= now ? "expired" : status.rawValue
    }
}
