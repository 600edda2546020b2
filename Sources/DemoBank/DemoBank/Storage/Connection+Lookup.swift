import GRDB

extension Connection {
    /// The active connections of a customer, which can be asked to confirm something.
    static func active(ofUser userID: Int64, in db: Database) throws -> [Connection] {
        try filter(Column("userID") == userID && Column("status") == Status.active.rawValue)
            .order(Column("id")).fetchAll(db)
    }

    /// Ends the connection; its open items end with it.
    mutating func revoke(at now: Double, in db: Database) throws {
        status = .revoked
        revokedAt = now
        try update(db)
        try Authorization
            .filter(
                Column("connectionID") == id && Column("status") == Authorization.Status.pending.rawValue
            )
            .updateAll(db, Column("status").set(to: Authorization.Status.closed.rawValue))
        try SCAAuthorization.closeWithdrawn(at: now, in: db)
        try SCAConnection.filter(key: id)
            .updateAll(db, Column("status").set(to: SCAConnection.Status.revoked.rawValue))
    }

    /// Gives a v1 connection its customer and its token: the enrollment is complete.
    mutating func activate(user: Int64, in db: Database) throws -> String {
        let token = RandomText.token()
        userID = user
        accessToken = token
        status = .active
        loginExpiresAt = 0
        try update(db)
        return token
    }
}
