import GRDB

/// The tables, and the migrations that make them. A migration that was released never changes.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("bank", migrate: createBank)
        migrator.registerMigration("SCA service", migrate: createSCAService)
        return migrator
    }

    private static func createBank(_ db: Database) throws {
        try db.create(table: Bank.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("code", .text).notNull().unique()
            table.column("name", .text).notNull()
            table.column("style", .text).notNull()
            table.column("base64", .text).notNull()
            table.column("geolocation", .text).notNull()
            table.column("providerKey", .text).notNull()
            table.column("usesConstantKey", .boolean).notNull()
            table.column("processingPolls", .integer).notNull()
            table.column("finishedSeconds", .double).notNull()
            table.column("wrongCode", .text).notNull()
        }
        try db.create(table: User.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("bankID", .integer).notNull().references(Bank.databaseTableName)
            table.column("name", .text).notNull()
            table.column("salt", .blob).notNull()
            table.column("passwordKey", .blob).notNull()
            table.uniqueKey(["bankID", "name"])
        }
        try db.create(table: WebSession.databaseTableName) { table in
            table.primaryKey("digest", .text)
            table.column("userID", .integer).notNull().references(User.databaseTableName, onDelete: .cascade)
            table.column("formToken", .text).notNull()
            table.column("expiresAt", .double).notNull()
        }
        try db.create(table: EnrollmentLink.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("bankID", .integer).notNull().references(Bank.databaseTableName)
            table.column("userID", .integer).notNull().references(User.databaseTableName, onDelete: .cascade)
            table.column("protocolVersion", .text).notNull()
            table.column("connectQuery", .text).unique()
            table.column("instantStyle", .text).notNull()
            table.column("expiresAt", .double).notNull()
            table.column("isUsed", .boolean).notNull()
        }
        try db.create(table: Connection.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("bankID", .integer).notNull().references(Bank.databaseTableName)
            table.column("userID", .integer).indexed().references(User.databaseTableName, onDelete: .setNull)
            table.column("protocolVersion", .text).notNull()
            table.column("publicKey", .text).notNull()
            table.column("returnURL", .text).notNull()
            table.column("platform", .text).notNull()
            table.column("pushToken", .text)
            table.column("accessToken", .text).unique()
            table.column("status", .text).notNull()
            table.column("loginSecret", .text).notNull().unique()
            table.column("loginExpiresAt", .double).notNull()
            table.column("createdAt", .double).notNull()
            table.column("revokedAt", .double)
        }
        try db.create(table: Authorization.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("connectionID", .integer).notNull().indexed().references(Connection.databaseTableName)
            table.column("groupID", .text).notNull().indexed()
            table.column("isMultiple", .boolean).notNull()
            table.column("title", .text).notNull()
            table.column("description", .text).notNull()
            table.column("code", .text).notNull()
            table.column("createdAt", .double).notNull()
            table.column("expiresAt", .double).notNull()
            table.column("oddities", .text).notNull()
            table.column("status", .text).notNull()
            table.column("decidedAt", .double)
            table.column("authorizationType", .text)
            table.column("geolocation", .text)
            table.column("userAgent", .text)
            table.column("decisionsReceived", .integer).notNull()
        }
        try db.create(table: Consent.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("connectionID", .integer).notNull().indexed().references(Connection.databaseTableName)
            table.column("consentType", .text).notNull()
            table.column("tppName", .text).notNull()
            table.column("accounts", .text).notNull()
            table.column("sharedData", .text)
            table.column("createdAt", .double).notNull()
            table.column("expiresAt", .double).notNull()
            table.column("revokedAt", .double)
            table.column("revokedBy", .text)
        }
        try db.create(table: InstantAction.databaseTableName) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("uuid", .text).notNull().unique()
            table.column("bankID", .integer).notNull().references(Bank.databaseTableName)
            table.column("userID", .integer).references(User.databaseTableName, onDelete: .cascade)
            table.column("protocolVersion", .text).notNull()
            table.column("kind", .text).notNull()
            table.column("title", .text).notNull()
            table.column("returnTo", .text)
            table.column("expiresAt", .double).notNull()
            table.column("status", .text).notNull()
        }
    }

    private static func createSCAService(_ db: Database) throws {
        try db.create(table: SCAConnection.databaseTableName) { table in
            table.primaryKey("id", .integer)
            table.column("providerID", .integer).notNull().references(Bank.databaseTableName)
            table.column("status", .text).notNull()
            table.column("returnURL", .text).notNull()
            table.column("pushToken", .text)
            table.column("accessToken", .text).unique()
            table.column("publicKey", .text)
            table.column("createdAt", .double).notNull()
        }
        try db.create(table: SCAAuthorization.databaseTableName) { table in
            table.primaryKey("id", .integer)
            table.column("actionID", .text).notNull()
            table.column("connectionID", .integer).notNull().indexed().references(SCAConnection.databaseTableName)
            table.column("key", .text).notNull()
            table.column("iv", .text).notNull()
            table.column("data", .text).notNull()
            table.column("expiresAt", .double).notNull()
            table.column("status", .text).notNull()
            table.column("nextStatus", .text)
            table.column("pollsLeft", .integer).notNull()
            table.column("finishedAt", .double)
        }
        try db.create(table: SCAConsent.databaseTableName) { table in
            table.primaryKey("id", .integer)
            table.column("connectionID", .integer).notNull().indexed().references(SCAConnection.databaseTableName)
            table.column("consentID", .integer).notNull()
            table.column("key", .text).notNull()
            table.column("iv", .text).notNull()
            table.column("data", .text).notNull()
        }
    }
}
