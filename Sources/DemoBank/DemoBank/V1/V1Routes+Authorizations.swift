import GRDB
import Hummingbird

extension V1Routes {
    /// saltedge-v1 section 8.1: undecided and unexpired items only.
    func listAuthorizations(_ caller: Caller) async throws -> Response {
        let now = services.clock.now
        let connection = caller.connection
        let items = try await services.store.read { db in
            try Authorization.filter(
                Column("connectionID") == connection.id
                    && Column("status") == Authorization.Status.pending.rawValue && Column("expiresAt") > now
            ).order(Column("id")).fetchAll(db)
        }
        let envelopes = V1Envelopes(bank: caller.bank)
        return caller.answer(.array(try items.map { try envelopes.seal($0, for: connection) }))
    }

    /// saltedge-v1 section 8.2.
    func showAuthorization(_ id: String, _ caller: Caller) async throws -> Response {
        let item = try await openAuthorization(id, caller)
        return caller.answer(try V1Envelopes(bank: caller.bank).seal(item, for: caller.connection))
    }

    /// Counts each decision that arrives for a known item, with any result.
    func countDecision(_ id: String, bank: Bank) async throws {
        guard let id = Int64(id) else { return }
        try await services.store.write { db in
            try db.execute(
                sql: """
                    UPDATE "authorization" SET decisionsReceived = decisionsReceived + 1 WHERE id = ?
                    AND connectionID IN (SELECT id FROM connection WHERE bankID = ?)
                    """,
                arguments: [id, bank.id])
        }
    }

    /// saltedge-v1 section 8.4. A wrong code is `success:false` with status 200, and nothing is decided.
    func decideAuthorization(_ id: String, _ caller: Caller) async throws -> Response {
        guard let body = JSONValue(parsing: caller.call.body) else { throw caller.errors.notJSON }
        guard let confirm = body["data"]?["confirm"]?.bool else {
            throw caller.errors.wrongRequest("confirm is missing")
        }
        guard let code = body["data"]?["authorization_code"]?.string else {
            throw caller.errors.wrongRequest("authorization_code is missing")
        }
        let item = try await openAuthorization(id, caller)
        let now = services.clock.now
        let note = Authorization.DecisionNote(
            authorizationType: caller.call.header("Authorization-Type"),
            geolocation: caller.call.header("GEO-Location"), userAgent: caller.call.header("User-Agent"))
        let decided = try await services.store.write { db in
            guard var item = try Authorization.fetchOne(db, key: item.id), item.isOpen(at: now), item.code == code
            else { return false }
            try item.decide(confirm: confirm, note: note, at: now, in: db)
            return true
        }
        return caller.answer(["success": .bool(decided), "id": .string(item.wireID)])
    }

    private func openAuthorization(_ id: String, _ caller: Caller) async throws -> Authorization {
        // The Java server needs a numeric id and answers anything else with an empty 400.
        guard let key = Int64(id) else { throw caller.errors.emptyOr(caller.errors.authorizationNotFound) }
        let connectionID = caller.connection.id
        let item = try await services.store.read { db in
            try Authorization.filter(Column("id") == key && Column("connectionID") == connectionID).fetchOne(db)
        }
        guard let item, item.isOpen(at: services.clock.now) else { throw caller.errors.authorizationNotFound }
        return item
    }
}
