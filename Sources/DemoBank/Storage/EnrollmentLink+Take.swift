import GRDB

extension EnrollmentLink {
    /// The link behind a one-time secret, used up. Unknown, old and used secrets give nothing.
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
