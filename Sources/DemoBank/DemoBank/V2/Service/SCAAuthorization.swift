import GRDB

/// An authorization as the SCA Service keeps it: ciphertext and a status (saltedge-v2 sections 8.1 and 8.4).
struct SCAAuthorization: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "scaAuthorization"

    /// The protocol's status words. A test may ask for any other word as the final one.
    enum Word {
        static let pending = "pending"
        static let confirmProcessing = "confirm_processing"
        static let denyProcessing = "deny_processing"
        static let confirmed = "confirmed"
        static let denied = "denied"
        static let closed = "closed"
    }

    var id: Int64
    /// The same for all items of one action.
    var actionID: String
    var connectionID: Int64
    var key: String
    var iv: String
    var data: String
    var expiresAt: Double
    var status: String = Word.pending
    /// The status after processing.
    var nextStatus: String?
    /// How often the item will still be listed as processing.
    var pollsLeft = 0
    var finishedAt: Double?

    var isProcessing: Bool { nextStatus != nil }

    /// Starts the processing of a decision, or ends it at once.
    mutating func process(confirm: Bool, outcome: String, polls: Int, at now: Double) {
        status = confirm ? Word.confirmProcessing : Word.denyProcessing
        nextStatus = outcome
        pollsLeft = polls
        if polls <= 0 { finish(at: now) }
    }

    /// Counts one listing of the item, which brings its processing nearer to the end.
    mutating func look(at now: Double) {
        guard isProcessing else { return }
        if pollsLeft > 0 { pollsLeft -= 1 } else { finish(at: now) }
    }

    private mutating func finish(at now: Double) {
        guard let next = nextStatus else { return }
        status = next
        nextStatus = nil
        pollsLeft = 0
        // A provider may also return the item undecided.
        finishedAt = next == Word.pending ? nil : now
    }

    /// Withdraws undecided items whose authorization the provider has closed.
    static func closeWithdrawn(at now: Double, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE scaAuthorization SET status = ?, finishedAt = ?, nextStatus = NULL WHERE status = ?
                AND id IN (SELECT id FROM "authorization" WHERE status = ?)
                """,
            arguments: [Word.closed, now, Word.pending, Authorization.Status.closed.rawValue])
    }
}
