import GRDB
import Hummingbird

extension V2Routes {
    /// How long the sign-in page of an enrollment stays open.
    private static let loginLifetime = 300.0

    /// saltedge-v2 section 3.
    func configuration(of bank: Bank) throws -> Response {
        var members: [String: JSONValue] = [
            "sca_service_url": .string(services.address.url),
            "api_version": "2",
            "provider_id": .int(Int(bank.id ?? 0)),
            "provider_name": .string(bank.name),
            "provider_logo_url": .string(services.baseURL(of: bank) + "/logo.svg"),
            "provider_support_email": .string("help@\(bank.code).example"),
            "provider_public_key": .string(try Provider(bank: bank).publicKey()),
        ]
        switch bank.geolocation {
        case .required: members["geolocation_required"] = true
        case .optional: members["geolocation_required"] = false
        case .unsupported: break
        }
        return Answer.json(["data": .object(members)])
    }

    /// saltedge-v2 section 6.1: the service numbers the connection, the provider reads the key and names the sign-in page.
    func createConnection(call: WireCall, bank: Bank?) async throws -> Response {
        let errors = V2Errors(style: bank?.style ?? .java)
        guard let data = JSONValue(parsing: call.body)?["data"], data["provider_id"]?.scalarText != nil,
            let returnURL = data["return_url"]?.string, !returnURL.isEmpty,
            let platform = data["platform"]?.string, !platform.isEmpty, platform.utf8.count <= 32,
            let bundle = Envelope(data["enc_rsa_public_key"])
        else { throw errors.wrongRequest("provider_id, return_url, platform and enc_rsa_public_key are needed") }
        guard let bank else { throw errors.providerNotFound }
        let provider = Provider(bank: bank)
        guard let publicKey = provider.connectionKey(in: bundle) else { throw errors.invalidPublicKey }

        let now = services.clock.now
        let draft = Connection(
            bankID: bank.id ?? 0, protocolVersion: .v2, publicKey: publicKey, returnURL: returnURL, platform: platform,
            pushToken: data["push_token"]?.string, loginSecret: RandomText.token(),
            loginExpiresAt: now + Self.loginLifetime, createdAt: now)
        let query = data["connect_query"]?.string ?? ""
        let page = "\(services.baseURL(of: bank))/connect/\(draft.loginSecret)"
        let (id, location) = try await services.store.write { db in
            var connection = draft
            try connection.insert(db)
            let id = connection.id ?? 0
            try SCAConnection(
                id: id, providerID: connection.bankID, returnURL: returnURL, pushToken: connection.pushToken,
                createdAt: now
            ).insert(db)
            guard !query.isEmpty else { return (id, page) }
            guard let link = try EnrollmentLink.take(query, bank: bank, version: .v2, at: now, in: db) else {
                return (id, try provider.fail(connection, message: "The code is unknown or over", in: db))
            }
            // The page will redirect at once, since the link says which customer it is.
            connection.userID = link.userID
            try connection.update(db)
            return (id, page)
        }
        return Answer.json(["data": ["connection_id": .int(Int(id)), "authentication_url": .string(location)]])
    }

    /// saltedge-v2 section 7.1.
    func showConnection(_ caller: Caller) -> JSONValue {
        let connection = caller.connection
        return [
            "id": .int(Int(connection.id)), "status": .string(connection.status.rawValue),
            "public_key": .optional(connection.publicKey), "push_token": .optional(connection.pushToken),
            "created_at": .time(connection.createdAt),
        ]
    }

    /// saltedge-v2 section 7.2.
    func updateConnection(_ caller: Caller, _ data: JSONValue) async throws -> JSONValue {
        guard let pushToken = data["push_token"]?.string else {
            throw caller.errors.wrongRequest("push_token is missing")
        }
        var connection = caller.connection
        connection.pushToken = pushToken
        let updated = connection
        try await services.store.write { db in
            try updated.update(db)
            try Connection.filter(key: updated.id).updateAll(db, Column("pushToken").set(to: pushToken))
        }
        return ["connection_id": .int(Int(updated.id))]
    }

    /// saltedge-v2 section 7.3.
    func revokeConnection(_ caller: Caller) async throws -> JSONValue {
        let id = caller.connection.id
        let now = services.clock.now
        try await services.store.write { db in
            guard var connection = try Connection.fetchOne(db, key: id) else { return }
            try connection.revoke(at: now, in: db)
        }
        return ["connection_id": .int(Int(id))]
    }
}
