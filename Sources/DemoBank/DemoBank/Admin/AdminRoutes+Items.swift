import GRDB
import Hummingbird

/// The requests, consents and actions of the bank:
///
/// * `POST /admin/authorizations`
///   `{"user" or "connection","title","description","expires_in","code","multiple",oddities}`
/// * `PATCH /admin/authorizations/{id}`, `POST /admin/authorizations/{id}/close`
/// * `POST /admin/authorizations/{id}/replay`
/// * `GET /admin/authorizations?id=&user=&connection=&status=`
/// * `POST /admin/consents` `{"user" or "connection","tpp_name","consent_type","accounts","shared_data","expires_in"}`
/// * `GET /admin/consents`
/// * `POST /admin/actions` `{"user","kind","protocol","title","return_to","expires_in"}`
///
/// Oddities: `created_at`, `expires_at`, `algorithm`, `raw`, `corrupt`, `outcome`, `polls`.
extension AdminRoutes {
    func addItems(to group: RouterGroup<BankContext>) {
        on(group, .post, "authorizations", createAuthorizations)
        on(group, .get, "authorizations", listAuthorizations)
        on(group, .patch, "authorizations/:id", changeAuthorization)
        on(group, .post, "authorizations/:id/close", closeAuthorization)
        on(group, .post, "authorizations/:id/replay", replayDecision)
        on(group, .post, "consents", createConsents)
        on(group, .get, "consents", listConsents)
        on(group, .post, "actions", createAction)
    }

    /// `POST /admin/authorizations`
    private func createAuthorizations(_ call: AdminCall) async throws -> JSONValue {
        let connections = try await connections(call)
        guard let description = call["description"] else { throw AdminError.missing("description") }
        var draft = Authorization.Draft(title: try call.text("title"), description: description.text)
        draft.expiresIn = call["expires_in"]?.number ?? 300
        draft.code = call["code"]?.string
        draft.isMultiple = call["multiple"]?.bool ?? false
        draft.oddities = try oddities(call, from: Authorization.Oddities())
        let ready = draft
        let now = services.clock.now
        let items = try await services.store.write { db in
            try Authorization.issue(ready, to: connections, at: now, in: db)
        }
        return ["ids": .array(items.map { .int(Int($0.id ?? 0)) })]
    }

    /// `GET /admin/authorizations`
    private func listAuthorizations(_ call: AdminCall) async throws -> JSONValue {
        let rows = try await services.store.read { db in
            let connections = Dictionary(uniqueKeysWithValues: try Connection.fetchAll(db).map { ($0.id, $0) })
            let names = Dictionary(uniqueKeysWithValues: try User.fetchAll(db).map { ($0.id, $0.name) })
            let words = Dictionary(uniqueKeysWithValues: try SCAAuthorization.fetchAll(db).map { ($0.id, $0.status) })
            return try Authorization.order(Column("id")).fetchAll(db).map { item in
                Row(
                    item: item, user: connections[item.connectionID]?.userID.flatMap { names[$0] },
                    serviceStatus: item.id.flatMap { words[$0] })
            }
        }
        let now = services.clock.now
        let wanted = rows.filter { row in
            let item = row.item
            return (call.query["user"] ?? row.user) == row.user
                && (call.query["connection"] ?? String(item.connectionID)) == String(item.connectionID)
                && (call.query["id"] ?? item.wireID) == item.wireID
                && (call.query["status"] ?? item.statusText(at: now)) == item.statusText(at: now)
        }
        return .array(wanted.map { describe($0, at: now) })
    }

    private struct Row: Sendable {
        var item: Authorization
        var user: String?
        /// v2: the status at the SCA Service.
        var serviceStatus: String?
    }

    private func describe(_ row: Row, at now: Double) -> JSONValue {
        let item = row.item
        return [
            "id": .int(Int(item.id ?? 0)), "connection_id": .int(Int(item.connectionID)), "user": .optional(row.user),
            "sca_status": .optional(row.serviceStatus),
            "title": .string(item.title), "description": JSONValue(parsing: item.description.utf8) ?? .null,
            "code": .string(item.code), "created_at": .time(item.createdAt), "expires_at": .time(item.expiresAt),
            "status": .string(item.statusText(at: now)), "decided_at": .time(item.decidedAt),
            "authorization_type": .optional(item.authorizationType), "geolocation": .optional(item.geolocation),
            "user_agent": .optional(item.userAgent), "decisions_received": .int(item.decisionsReceived),
        ]
    }

    /// `PATCH /admin/authorizations/{id}`
    private func changeAuthorization(_ call: AdminCall) async throws -> JSONValue {
        let id = try call.pathID()
        let now = services.clock.now
        try await services.store.write { db in
            guard var item = try Authorization.fetchOne(db, key: id) else {
                throw AdminError.notFound("authorization")
            }
            if let title = call["title"]?.string { item.title = title }
            if let description = call["description"] { item.description = description.text }
            if let code = call["code"]?.string { item.code = code }
            if let expiresIn = call["expires_in"]?.number { item.expiresAt = now + expiresIn }
            item.oddities = try oddities(call, from: item.oddities)
            try item.update(db)
            if let connection = try Connection.fetchOne(db, key: item.connectionID) {
                try item.publish(for: connection, in: db)
            }
        }
        return ["id": .int(Int(id))]
    }

    /// `POST /admin/authorizations/{id}/close`
    private func closeAuthorization(_ call: AdminCall) async throws -> JSONValue {
        let id = try call.pathID()
        let now = services.clock.now
        try await services.store.write { db in
            guard var item = try Authorization.fetchOne(db, key: id) else {
                throw AdminError.notFound("authorization")
            }
            item.status = .closed
            try item.update(db)
            try SCAAuthorization.closeWithdrawn(at: now, in: db)
        }
        return ["status": "closed"]
    }

    /// `POST /admin/authorizations/{id}/replay`: acts like a dishonest SCA Service. It passes the last signed decision
    /// on this item to the provider as an approval, as if the provider had not received it yet, and returns the result.
    private func replayDecision(_ call: AdminCall) async throws -> JSONValue {
        let id = try call.pathID()
        let paths = ["confirm", "deny"].map { "/authorizations/\(id)/\($0)" }
        let sent = services.requests.entries.last { entry in
            entry.operation == "authorizations.decide" && paths.contains { entry.call.path.hasSuffix($0) }
        }
        guard let sent, let signature = sent.call.header("x-jws-signature") else {
            throw AdminError.notFound("signed decision")
        }
        let forwarded = Provider.ForwardedDecision(
            authorizationID: id, confirm: true, originalRequest: String(decoding: sent.call.body, as: UTF8.self),
            originalSignature: signature, userAgent: sent.call.header("User-Agent"))
        let now = services.clock.now
        return try await services.store.write { db in
            guard var item = try Authorization.fetchOne(db, key: id),
                var relayed = try SCAAuthorization.fetchOne(db, key: id),
                let connection = try Connection.fetchOne(db, key: item.connectionID),
                let bank = try Bank.fetchOne(db, key: connection.bankID)
            else { throw AdminError.notFound("authorization of v2") }
            (item.status, item.decidedAt) = (.pending, nil)
            try item.update(db)
            guard case .accepted(let word, _) = try Provider(bank: bank).decide(forwarded, at: now, in: db) else {
                throw AdminError(status: .conflict, message: "the provider does not accept it as an approval")
            }
            relayed.process(confirm: true, outcome: word, polls: 0, at: now)
            try relayed.update(db)
            return ["status": .string(word)]
        }
    }

    private func oddities(_ call: AdminCall, from old: Authorization.Oddities) throws -> Authorization.Oddities {
        var oddities = old
        if let text = call["created_at"]?.string { oddities.createdAtText = text }
        if let text = call["expires_at"]?.string { oddities.expiresAtText = text }
        if let text = call["algorithm"]?.string { oddities.algorithm = text }
        if let text = call["raw"]?.string { oddities.plaintext = text }
        if let corruption = try call.word("corrupt", Envelope.Corruption.self) {
            oddities.corruption = corruption.rawValue
        }
        if let word = call["outcome"]?.string { oddities.outcome = word }
        if let polls = call["polls"]?.int { oddities.polls = polls }
        return oddities
    }

    /// `POST /admin/consents`
    private func createConsents(_ call: AdminCall) async throws -> JSONValue {
        let connections = try await connections(call)
        var draft = Consent.Draft(tppName: call["tpp_name"]?.string ?? "Fern Budget")
        if let type = call["consent_type"]?.string { draft.consentType = type }
        if let accounts = call["accounts"] { draft.accounts = accounts.text }
        if let shared = call.body.object?["shared_data"] { draft.sharedData = shared == .null ? nil : shared.text }
        if let expiresIn = call["expires_in"]?.number { draft.expiresIn = expiresIn }
        let ready = draft
        let now = services.clock.now
        let consents = try await services.store.write { db in
            try Consent.issue(ready, to: connections, at: now, in: db)
        }
        return ["ids": .array(consents.map { .int(Int($0.id ?? 0)) })]
    }

    /// `GET /admin/consents`
    private func listConsents(_ call: AdminCall) async throws -> JSONValue {
        let consents = try await services.store.read { db in try Consent.order(Column("id")).fetchAll(db) }
        let now = services.clock.now
        return .array(
            consents.map { consent in
                [
                    "id": .int(Int(consent.id ?? 0)), "connection_id": .int(Int(consent.connectionID)),
                    "consent_type": .string(consent.consentType), "tpp_name": .string(consent.tppName),
                    "status": .string(consent.statusText(at: now)), "revoked_at": .time(consent.revokedAt),
                    "revoked_by": .optional(consent.revokedBy), "expires_at": .time(consent.expiresAt),
                ]
            })
    }

    /// `POST /admin/actions`
    private func createAction(_ call: AdminCall) async throws -> JSONValue {
        let bank = try await services.bank(code: call.bankCode)
        var userID: Int64?
        if let name = call["user"]?.string { userID = try await user(name, bank: bank).id }
        let links = ActionLinks(services: services)
        let action = try await links.make(
            bank: bank, userID: userID, kind: try call.word("kind", InstantAction.Kind.self) ?? .sca,
            version: try call.word("protocol", EnrollmentLink.ProtocolVersion.self) ?? .v1,
            title: call["title"]?.string, returnTo: call["return_to"]?.string,
            lifetime: call["expires_in"]?.number ?? 300)
        return [
            "link": .string(links.text(of: action, bank: bank)), "action_uuid": .string(action.uuid),
            "action_id": .int(Int(action.id ?? 0)),
        ]
    }

    /// The connections that a body names: one by its id, or all active ones of a user.
    private func connections(_ call: AdminCall) async throws -> [Connection] {
        if let id = call["connection"]?.int {
            let connection = try await services.store.read { db in try Connection.fetchOne(db, key: id) }
            guard let connection else { throw AdminError.notFound("connection") }
            return [connection]
        }
        let bank = try await services.bank(code: call.bankCode)
        let user = try await user(try call.text("user"), bank: bank)
        let version = try call.word("protocol", EnrollmentLink.ProtocolVersion.self)
        let userID = user.id ?? 0
        return try await services.store.read { db in
            try Connection.active(ofUser: userID, in: db).filter {
                (version ?? $0.protocolVersion) == $0.protocolVersion
            }
        }
    }
}
