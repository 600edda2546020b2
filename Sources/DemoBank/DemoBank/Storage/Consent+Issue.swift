import GRDB

extension Consent {
    /// The content of a consent, without the connection that can see it.
    struct Draft: Sendable {
        var tppName: String
        var consentType = "aisp"
        var accounts = """
            [{"account_number":"0012345","iban":"AT611904300234573201","name":"Everyday account","sort_code":"10-20-30"}]
            """
        var sharedData: String? = #"{"balance":true,"transactions":true}"#
        var expiresIn = 90.0 * 86400
    }

    /// Creates the consent for each of these connections.
    static func issue(_ draft: Draft, to connections: [Connection], at now: Double, in db: Database) throws -> [Consent]
    {
        try connections.compactMap { connection in
            guard let connectionID = connection.id else { return nil }
            var consent = Consent(
                connectionID: connectionID, consentType: draft.consentType, tppName: draft.tppName,
                accounts: draft.accounts, sharedData: draft.sharedData, createdAt: now,
                expiresAt: now + draft.expiresIn)
            try consent.insert(db)
            if connection.protocolVersion == .v2, let bank = try Bank.fetchOne(db, key: connection.bankID) {
                try Provider(bank: bank).publish(consent, for: connection, in: db)
            }
            return consent
        }
    }

    /// The state of the consent, as the bank's pages and the admin API name it.
    func statusText(at now: Double) -> String {
        if revokedAt != nil { return "revoked" }
        return expiresAt <= now ? "expired" : "active"
    }
}
