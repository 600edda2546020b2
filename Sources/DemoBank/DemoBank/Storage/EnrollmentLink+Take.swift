import GRDB

extension EnrollmentLink {
    /// Uses up a one-time secret and returns its link. Nil for a secret that is unknown, expired or used.
    static func take(
        _ query: String, bank: Bank, version: ProtocolVersion, at now: Double, in db: Database
    ) throws -> EnrollmentLink? {
        guard !query.isEmpty,
            var link = try filter(
                Column("connectQuery") == query && Column("bankID") == bank.id
                    && Column("protocolVersion") == version.rawValue
            ).fetchOne(db), !link.isUsed, link.expiresAt > now
        else { return nil }
        link.isUsed = true
        try link.update(db)
        return link
    }
}
