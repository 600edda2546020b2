/// Authorizations and consents as v1 sends them: sealed for one connection (saltedge-v1 section 7).
struct V1Envelopes: Sendable {
    let bank: Bank

    func seal(_ item: Authorization, for connection: Connection) throws -> JSONValue {
        let plaintext = item.oddities.plaintext ?? plaintext(of: item, for: connection).text
        return try seal(
            id: item.id ?? 0, plaintext: plaintext, for: connection,
            algorithm: item.oddities.algorithm,
            corruption: item.oddities.corruption.flatMap(Envelope.Corruption.init))
    }

    func seal(_ consent: Consent, for connection: Connection) throws -> JSONValue {
        try seal(id: consent.id ?? 0, plaintext: plaintext(of: consent, for: connection).text, for: connection)
    }

    private func seal(
        id: Int64, plaintext: String, for connection: Connection, algorithm: String? = nil,
        corruption: Envelope.Corruption? = nil
    ) throws -> JSONValue {
        let envelope = try Envelope.seal(
            plaintext, publicKey: connection.publicKey, style: bank.base64Style(itemID: id), corruption: corruption)
        return [
            "id": .string(String(id)),
            "connection_id": .string(corruption == .connectionID ? connection.wireID + "0" : connection.wireID),
            "algorithm": .string(algorithm ?? "AES-256-CBC"),
            "key": .string(envelope.key),
            "iv": .string(envelope.iv),
            "data": .string(envelope.data),
        ]
    }

    /// saltedge-v1 section 8.3.
    private func plaintext(of item: Authorization, for connection: Connection) -> JSONValue {
        [
            "id": .string(item.wireID),
            "connection_id": .string(connection.wireID),
            "title": .string(item.title),
            "description": .string(DescriptionText.v1(item.description)),
            "authorization_code": .string(item.code),
            "created_at": .string(item.oddities.createdAtText ?? Timestamp.iso8601(item.createdAt)),
            "expires_at": .string(item.oddities.expiresAtText ?? Timestamp.iso8601(item.expiresAt)),
        ]
    }

    /// saltedge-v1 section 9.3.
    private func plaintext(of consent: Consent, for connection: Connection) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(consent.wireID),
            "user_id": .string(String(connection.userID ?? 0)),
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
