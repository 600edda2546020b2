import GRDB
import Hummingbird

/// Banks, customers, links and connections:
///
/// * `POST /admin/banks` `{"code","name"}`, `GET /admin/banks`
/// * `POST /admin/users` `{"name","password"}`, `POST /admin/users/{id}/delete`
/// * `POST /admin/links` `{"user","protocol","instant","instant_style","expires_in"}`
/// * `POST /admin/connections` `{"user","protocol","public_key"}`, `GET /admin/connections?user=&bank=`,
///   `POST /admin/connections/{id}/revoke`
extension AdminRoutes {
    func addPeople(to group: RouterGroup<BankContext>) {
        on(group, .post, "banks", createBank)
        on(group, .get, "banks", listBanks)
        on(group, .post, "users", createUser)
        on(group, .post, "users/:id/delete", deleteUser)
        on(group, .post, "links", createLink)
        on(group, .post, "connections", createConnection)
        on(group, .get, "connections", listConnections)
        on(group, .post, "connections/:id/revoke", revokeConnection)
    }

    /// `POST /admin/banks`
    private func createBank(_ call: AdminCall) async throws -> JSONValue {
        let code = try call.text("code")
        let name = try call.text("name")
        guard !code.isEmpty, code.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isLetter || (48...57).contains($0) })
        else { throw AdminError(status: .badRequest, message: "a bank's code is letters and digits") }
        let new = try Bank(code: code, name: name)
        let bank = try await services.store.write { db in
            guard try Bank.filter(Column("code") == code).fetchCount(db) == 0 else {
                throw AdminError(status: .conflict, message: "there is a bank called \(code) already")
            }
            var bank = new
            try bank.insert(db)
            return bank
        }
        return describe(bank)
    }

    /// `GET /admin/banks`
    private func listBanks(_ call: AdminCall) async throws -> JSONValue {
        let banks = try await services.store.read { db in try Bank.order(Column("id")).fetchAll(db) }
        return .array(banks.map(describe))
    }

    private func describe(_ bank: Bank) -> JSONValue {
        [
            "code": .string(bank.code), "name": .string(bank.name),
            "connect_url": .string(services.baseURL(of: bank)), "style": .string(bank.style.rawValue),
            "provider_id": .int(Int(bank.id ?? 0)),
            "configuration_v2": .string(EnrollmentLinks(services: services).configuration(of: bank, .v2)),
            "configuration": .string(EnrollmentLinks(services: services).configuration(of: bank, .v1)),
        ]
    }

    /// `POST /admin/users`
    private func createUser(_ call: AdminCall) async throws -> JSONValue {
        let bank = try await services.bank(code: call.bankCode)
        let name = try call.text("name")
        let user = try await Customers(services: services).signUp(
            name: name, password: try call.text("password"), bank: bank)
        guard let user, let id = user.id else {
            throw AdminError(status: .conflict, message: "there is a user called \(name) already")
        }
        return ["id": .int(Int(id)), "name": .string(user.name)]
    }

    /// `POST /admin/users/{id}/delete`
    private func deleteUser(_ call: AdminCall) async throws -> JSONValue {
        let id = try call.pathID()
        let deleted = try await services.store.write { db in try User.deleteOne(db, key: id) }
        guard deleted else { throw AdminError.notFound("user") }
        return ["deleted": true]
    }

    /// `POST /admin/links`
    private func createLink(_ call: AdminCall) async throws -> JSONValue {
        let bank = try await services.bank(code: call.bankCode)
        let user = try await user(try call.text("user"), bank: bank)
        let links = EnrollmentLinks(services: services)
        let link = try await links.make(
            bank: bank, userID: user.id ?? 0,
            version: try call.word("protocol", EnrollmentLink.ProtocolVersion.self) ?? .v1,
            isInstant: call["instant"]?.bool ?? false,
            instantStyle: try call.word("instant_style", EnrollmentLink.InstantStyle.self) ?? .token,
            lifetime: call["expires_in"]?.number)
        let text = links.text(of: link, bank: bank)
        return [
            "link": .string(text), "code": .optional(QRCode(text)?.text),
            "configuration": .string(links.configuration(of: bank, link.protocolVersion)),
            "connect_query": .optional(link.connectQuery),
        ]
    }

    /// `POST /admin/connections`: creates the record that an enrollment would leave here.
    private func createConnection(_ call: AdminCall) async throws -> JSONValue {
        let bank = try await services.bank(code: call.bankCode)
        let user = try await user(try call.text("user"), bank: bank)
        let version = try call.word("protocol", EnrollmentLink.ProtocolVersion.self) ?? .v1
        guard let publicKey = RSAKeyText.normalizedPublicKey(try call.text("public_key")) else {
            throw AdminError(status: .badRequest, message: "public_key is not an RSA key")
        }
        let token = RandomText.token()
        let draft = Connection(
            bankID: bank.id ?? 0, userID: user.id, protocolVersion: version, publicKey: publicKey,
            returnURL: "http://127.0.0.1/return", platform: "android", accessToken: version == .v1 ? token : nil,
            status: .active, loginSecret: RandomText.token(), loginExpiresAt: 0, createdAt: services.clock.now)
        let id = try await services.store.write { db in
            var connection = draft
            try connection.insert(db)
            let id = connection.id ?? 0
            if version == .v2 {
                try SCAConnection(
                    id: id, providerID: draft.bankID, status: .valid, returnURL: draft.returnURL, accessToken: token,
                    publicKey: publicKey, createdAt: draft.createdAt
                ).insert(db)
            }
            return id
        }
        return ["id": .int(Int(id)), "access_token": .string(token)]
    }

    /// `GET /admin/connections`
    private func listConnections(_ call: AdminCall) async throws -> JSONValue {
        let rows = try await services.store.read { db in
            let names = Dictionary(uniqueKeysWithValues: try User.fetchAll(db).map { ($0.id, $0.name) })
            let banks = Dictionary(uniqueKeysWithValues: try Bank.fetchAll(db).map { ($0.id, $0.code) })
            return try Connection.order(Column("id")).fetchAll(db).map { connection in
                (connection, connection.userID.flatMap { names[$0] }, banks[connection.bankID] ?? "")
            }
        }
        let wanted = rows.filter { _, user, bank in
            (call.query["user"] ?? user) == user && (call.query["bank"] ?? bank) == bank
        }
        return .array(
            wanted.map { connection, user, bank in
                [
                    "id": .int(Int(connection.id ?? 0)), "bank": .string(bank), "user": .optional(user),
                    "protocol": .string(connection.protocolVersion.rawValue),
                    "status": .string(connection.status.rawValue), "platform": .string(connection.platform),
                    "return_url": .string(connection.returnURL), "push_token": .optional(connection.pushToken),
                    "public_key": .string(connection.publicKey), "created_at": .time(connection.createdAt),
                    "revoked_at": .time(connection.revokedAt),
                ]
            })
    }

    /// `POST /admin/connections/{id}/revoke`
    private func revokeConnection(_ call: AdminCall) async throws -> JSONValue {
        let id = try call.pathID()
        let now = services.clock.now
        try await services.store.write { db in
            guard var connection = try Connection.fetchOne(db, key: id) else { throw AdminError.notFound("connection") }
            try connection.revoke(at: now, in: db)
        }
        return ["status": "revoked"]
    }

    func user(_ name: String, bank: Bank) async throws -> User {
        let bankID = bank.id
        let user = try await services.store.read { db in
            try User.filter(Column("bankID") == bankID && Column("name") == name).fetchOne(db)
        }
        guard let user else { throw AdminError.notFound("user") }
        return user
    }
}
