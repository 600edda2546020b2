import GRDB

extension Provider {
    /// Passes an item to the SCA Service, or the new content of an item that it has already.
    func publish(_ item: Authorization, for connection: Connection, in db: Database) throws {
        guard let id = item.id else { return }
        let envelope = try seal(
            item.oddities.plaintext ?? plaintext(of: item).text, id: id, for: connection,
            corruption: item.oddities.corruption.flatMap(Envelope.Corruption.init))
        let old = try SCAAuthorization.fetchOne(db, key: id)
        var known =
            old
            ?? SCAAuthorization(
                id: id, actionID: item.groupID, connectionID: connection.id ?? 0, key: "", iv: "", data: "",
                expiresAt: item.expiresAt)
        known.key = envelope.key
        known.iv = envelope.iv
        known.data = envelope.data
        known.expiresAt = item.expiresAt
        try known.save(db)
    }

    func publish(_ consent: Consent, for connection: Connection, in db: Database) throws {
        guard let id = consent.id else { return }
        let envelope = try seal(plaintext(of: consent).text, id: id, for: connection)
        try SCAConsent(
            id: id + SCAConsent.idOffset, connectionID: connection.id ?? 0, consentID: id, key: envelope.key,
            iv: envelope.iv, data: envelope.data
        ).insert(db)
    }

    private func seal(
        _ payload: String, id: Int64, for connection: Connection, corruption: Envelope.Corruption? = nil
    ) throws -> Envelope {
        try Envelope.seal(
            payload, publicKey: connection.publicKey, style: bank.base64Style(itemID: id),
            constantKey: bank.usesConstantKey, corruption: corruption)
    }

    /// saltedge-v2 section 8.2: no ids inside.
    private func plaintext(of item: Authorization) -> JSONValue {
        [
            "title": .string(item.title),
            "description": DescriptionText.v2(item.description),
            "authorization_code": .string(item.code),
            "created_at": .string(item.oddities.createdAtText ?? Timestamp.iso8601(item.createdAt)),
            "expires_at": .string(item.oddities.expiresAtText ?? Timestamp.iso8601(item.expiresAt)),
        ]
    }

    /// saltedge-v2 section 9: the provider's id, and no user.
    private func plaintext(of consent: Consent) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(consent.wireID),
            "consent_type": .string(consent.consentType),
            "tpp_name": .string(consent.tppName),
            "accounts": JSONValue(parsing: consent.accounts.utf8) ?? [],
            "created_at": .time(consent.createdAt),
            "expires_at": .time(consent.expiresAt),
        ]
        if let shared = consent.sharedData { members["shared_data"] = JSONValue(parsing: shared.utf8) ?? [:] }
        return .object(members)
    }
}
