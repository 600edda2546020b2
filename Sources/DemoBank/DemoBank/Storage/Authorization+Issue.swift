import GRDB

extension Authorization {
    /// The content of a request, without the connection that is asked.
    struct Draft: Sendable {
        var title: String
        /// JSON text, as in ``Authorization/description``.
        var description: String
        var expiresIn = 300.0
        var code: String?
        var isMultiple = false
        var oddities = Oddities()
        /// The group that the items join; nil for a new one.
        var groupID: String?
    }

    /// Creates an item for each of these connections; the items share one group.
    static func issue(_ draft: Draft, to connections: [Connection], at now: Double, in db: Database) throws
        -> [Authorization]
    {
        let groupID = draft.groupID ?? RandomText.token()
        return try connections.compactMap { connection in
            guard let connectionID = connection.id else { return nil }
            var item = Authorization(
                connectionID: connectionID, groupID: groupID, isMultiple: draft.isMultiple, title: draft.title,
                description: draft.description, code: draft.code ?? RandomText.token(), createdAt: now,
                expiresAt: now + draft.expiresIn, oddities: draft.oddities)
            try item.insert(db)
            try item.publish(for: connection, in: db)
            return item
        }
    }

    /// Data that the authenticator sent together with a decision.
    struct DecisionNote: Sendable {
        var authorizationType: String?
        var geolocation: String?
        var userAgent: String?
    }

    /// Decides this item, and closes the others of its group unless each connection decides for itself.
    mutating func decide(confirm: Bool, note: DecisionNote, at now: Double, in db: Database) throws {
        status = confirm ? .confirmed : .denied
        decidedAt = now
        authorizationType = note.authorizationType
        geolocation = note.geolocation
        userAgent = note.userAgent
        try update(db)
        guard !isMultiple else { return }
        try Authorization
            .filter(
                sql: "groupID = ? AND id <> ? AND status = ?", arguments: [groupID, id, Status.pending.rawValue]
            )
            .updateAll(db, Column("status").set(to: Status.closed.rawValue))
        try SCAAuthorization.closeWithdrawn(at: now, in: db)
    }

    /// Passes the item to the SCA Service if its connection is one of v2.
    func publish(for connection: Connection, in db: Database) throws {
        guard connection.protocolVersion == .v2, let bank = try Bank.fetchOne(db, key: connection.bankID) else {
            return
        }
        try Provider(bank: bank).publish(self, for: connection, in: db)
    }
}
