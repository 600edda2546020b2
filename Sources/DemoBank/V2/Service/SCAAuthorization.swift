import GRDB

/// An authorization as the SCA Service knows it: ciphertext and a status (v2 sections 8.1 and 8.4).
struct SCAAuthorization: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "scaAuthorization"

    /// The words are the wire's; a test may order any other as the final one.
    enum Word {
        static let pending = "pending"
        static let confirmProcessing = "confirm_processing"
        static let denyProcessing = "deny_processing"
        static let confirmed = "confirmed"
        static let denied = "denied"
        static let closed = "closed"
    }

    var id: Int64
    /// Items of one action share it.
    var actionID: String
    var connectionID: Int64
    var key: String
    var iv: String
    var data: String
    var expiresAt: Double
    var status: String = Word.pending
    /// What follows when the processing is over.
    var nextStatus: String?
    /// How many looks still find it in processing.
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

    /// One look at the item: processing comes nearer to its end.
    mutating func look(at now: Double) {
        guard isProcessing else { return }
        if pollsLeft > 0 { pollsLeft -= 1 } else { finish(at: now) }
    }

    private mutating func finish(at now: Double) {
        guard let next = nextStatus else { return }
        status = next
        nextStatus = nil
        pollsLeft = 0
        // A provider may also hand the item back undecided.
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
