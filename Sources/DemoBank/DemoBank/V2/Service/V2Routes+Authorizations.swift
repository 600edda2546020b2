import GRDB
import Hummingbird

extension V2Routes {
    /// saltedge-v2 section 8.1. Final items are listed for a while, without ciphertext.
    func listAuthorizations(_ caller: Caller) async throws -> JSONValue {
        let connectionID = caller.connection.id
        let actionID = URLText.formFields(caller.call.query ?? "")["action_id"]
        let now = services.clock.now
        let remember = caller.bank.finishedSeconds
        let items = try await services.store.write { db in
            try SCAAuthorization.filter(Column("connectionID") == connectionID).order(Column("id")).fetchAll(db)
                .filter { (actionID ?? $0.actionID) == $0.actionID }
                .compactMap { try Self.looked(at: $0, now: now, remember: remember, in: db) }
        }
        return .array(try await describe(items))
    }

    func showAuthorization(_ id: Int64?, _ caller: Caller) async throws -> JSONValue {
        let connectionID = caller.connection.id
        let now = services.clock.now
        let remember = caller.bank.finishedSeconds
        let item = try await services.store.write { db -> SCAAuthorization? in
            guard let item = try SCAAuthorization.fetchOne(db, key: id), item.connectionID == connectionID else {
                return nil
            }
            return try Self.looked(at: item, now: now, remember: remember, in: db)
        }
        guard let item, let described = try await describe([item]).first else {
            throw caller.errors.authorizationNotFound
        }
        return described
    }

    /// The item after one more listing; `nil` when it is no longer listed.
    private static func looked(at item: SCAAuthorization, now: Double, remember: Double, in db: Database) throws
        -> SCAAuthorization?
    {
        var item = item
        if item.isProcessing {
            item.look(at: now)
            try item.update(db)
        }
        if let finishedAt = item.finishedAt { return finishedAt + remember > now ? item : nil }
        return item.isProcessing || item.expiresAt > now ? item : nil
    }

    private func describe(_ items: [SCAAuthorization]) async throws -> [JSONValue] {
        let ids = items.map(\.id)
        let misnamed = try await services.store.read { db in
            Set(
                try Authorization.filter(ids.contains(Column("id"))).fetchAll(db)
                    .filter { $0.oddities.corruption == Envelope.Corruption.connectionID.rawValue }.compactMap(\.id))
        }
        return items.map { item in
            let isFinal = item.finishedAt != nil
            let connectionID = misnamed.contains(item.id) ? item.connectionID * 10 : item.connectionID
            var members: [String: JSONValue] = [
                "id": .int(Int(item.id)), "connection_id": .int(Int(connectionID)), "status": .string(item.status),
                "key": .string(isFinal ? "" : item.key), "iv": .string(isFinal ? "" : item.iv),
                "data": .string(isFinal ? "" : item.data),
            ]
            if isFinal { members["finished_at"] = .time(item.finishedAt) }
            return .object(members)
        }
    }

    /// Counts each decision that arrives for a known item, with any result.
    func countDecision(_ id: Int64?) async throws {
        guard let id else { return }
        try await services.store.write { db in
            try db.execute(
                sql: #"UPDATE "authorization" SET decisionsReceived = decisionsReceived + 1 WHERE id = ?"#,
                arguments: [id])
        }
    }

    /// saltedge-v2 section 8.5: the service forwards body and signature to the provider, which verifies both itself.
    func decide(_ id: Int64?, confirm: Bool, _ caller: Caller) async throws -> JSONValue {
        let errors = caller.errors
        let now = services.clock.now
        let provider = Provider(bank: caller.bank)
        let connectionID = caller.connection.id
        let forwarded = Provider.ForwardedDecision(
            authorizationID: id ?? 0, confirm: confirm,
            originalRequest: String(decoding: caller.call.body, as: UTF8.self),
            originalSignature: caller.call.header("x-jws-signature") ?? "",
            userAgent: caller.call.header("User-Agent"))
        let item = try await services.store.write { db in
            guard var item = try SCAAuthorization.fetchOne(db, key: id), item.connectionID == connectionID else {
                throw errors.authorizationNotFound
            }
            guard item.status == SCAAuthorization.Word.pending else { throw errors.actionClosed }
            guard item.expiresAt > now else { throw errors.actionExpired }
            switch try provider.decide(forwarded, at: now, in: db) {
            case .accepted(let finalStatus, let polls):
                item.process(confirm: confirm, outcome: finalStatus, polls: polls, at: now)
                try item.update(db)
                return item
            case .notSigned(let fault): throw errors.signature(fault)
            case .unreadable: throw errors.wrongRequest("the provider cannot read the payload")
            case .refused: throw errors.wrongRequest("the authorization code is wrong")
            }
        }
        return ["id": .int(Int(item.id)), "status": .string(item.status)]
    }

    /// saltedge-v2 section 8.7.
    func claimAction(_ caller: Caller, _ data: JSONValue) async throws -> JSONValue {
        let errors = caller.errors
        guard let actionID = data["action_id"]?.int, let providerID = data["provider_id"]?.scalarText,
            let connectionID = data["connection_id"]?.scalarText
        else { throw errors.wrongRequest("provider_id, connection_id and action_id are needed") }
        guard connectionID == String(caller.connection.id), providerID == String(caller.connection.providerID) else {
            throw errors.wrongRequest("the connection is another one")
        }
        let now = services.clock.now
        let ownID = caller.connection.id
        let bank = caller.bank
        return try await services.store.write { db in
            guard let connection = try Connection.fetchOne(db, key: ownID) else { throw errors.connectionNotFound }
            guard
                var action = try InstantAction.filter(
                    Column("id") == actionID && Column("bankID") == bank.id
                        && Column("protocolVersion") == EnrollmentLink.ProtocolVersion.v2.rawValue
                ).fetchOne(db), action.userID == nil || action.userID == connection.userID
            else { throw errors.actionNotFound }
            guard action.status == .pending else { throw errors.actionClosed }
            guard action.expiresAt > now else { throw errors.actionExpired }
            guard action.kind != .refused else { throw errors.actionClosed }
            action.status = .claimed
            try action.update(db)
            guard action.kind == .sca else { return [:] }
            let draft = Authorization.Draft(
                title: action.title,
                description: JSONValue.object(["text": .string("You started this on the web page of \(bank.name).")])
                    .text,
                groupID: String(actionID))
            let items = try Authorization.issue(draft, to: [connection], at: now, in: db)
            return [
                "connection_id": .int(Int(ownID)), "authorization_id": .int(Int(items.first?.id ?? 0)),
            ]
        }
    }
}
