import GRDB
import Hummingbird

/// The SCA Service of v2 at the root of the process; every bank of the process is one of its providers.
struct V2Routes: Sendable {
    let services: BankServices
    let handler: WireCallHandler
    let gate: V2Gate

    init(services: BankServices) {
        self.services = services
        gate = V2Gate(services: services)
        handler = WireCallHandler(services: services) { error, _ in
            Answer.json(
                ["error_class": .optional(error.errorClass), "error_message": .string(error.message)],
                status: .init(code: error.status))
        }
    }

    typealias Caller = V2Gate.Caller

    func add(to group: RouterGroup<BankContext>) {
        let base = group.group("api/authenticator/v2")
        base.get("configurations/:id") { request, context in
            let bank = try await provider(context.parameters.get("id"))
            return try await open("configuration", bank, request) { _ in
                guard let bank else { throw V2Errors(style: .java).providerNotFound }
                return try configuration(of: bank)
            }
        }
        base.post("connections") { request, _ in
            var request = request
            let body = try await request.collectBody(upTo: 1 << 20).readableBytesView
            let bank = try await provider(JSONValue(parsing: body)?["data"]?["provider_id"]?.scalarText)
            return try await open("connections.create", bank, request) { call in
                try await createConnection(call: call, bank: bank)
            }
        }
        addConnections(to: base)
        addAuthorizations(to: base)
        addConsents(to: base)
    }

    /// A call without a token. When the provider does not exist, the faults of the bank at the root apply.
    private func open(
        _ operation: String, _ bank: Bank?, _ request: Request,
        work: @escaping @Sendable (WireCall) async throws -> Response
    ) async throws -> Response {
        let fallback = try await fallbackBank()
        return try await handler.handle(operation, bank: bank ?? fallback, request: request) { call, _ in
            try await work(call)
        }
    }

    private func addConnections(to base: RouterGroup<BankContext>) {
        base.get("connections/:id") { request, context in
            try await known("connections.show", request) { caller in
                try checkOwnConnection(context, caller)
                return showConnection(caller)
            }
        }
        base.patch("connections/:id/update") { request, context in
            try await signed("connections.update", request) { caller, data in
                try checkOwnConnection(context, caller)
                return try await updateConnection(caller, data)
            }
        }
        base.put("connections/:id/revoke") { request, context in
            try await signed("connections.revoke", request) { caller, _ in
                try checkOwnConnection(context, caller)
                return try await revokeConnection(caller)
            }
        }
    }

    private func addAuthorizations(to base: RouterGroup<BankContext>) {
        base.get("authorizations") { request, _ in
            try await known("authorizations.list", request) { try await listAuthorizations($0) }
        }
        base.get("authorizations/:id") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await known("authorizations.show", request) { try await showAuthorization(id, $0) }
        }
        base.post("authorizations") { request, _ in
            try await signed("actions.claim", request) { try await claimAction($0, $1) }
        }
        for (path, confirm) in [("confirm", true), ("deny", false)] {
            base.put("authorizations/:id/\(path)") { request, context in
                let id = context.parameters.get("id", as: Int64.self)
                return try await handle("authorizations.decide", request) { call, bank in
                    try await countDecision(id)
                    let caller = try await gate.caller(call, bank: bank)
                    _ = try gate.signedData(caller)
                    return try await decide(id, confirm: confirm, caller)
                }
            }
        }
    }

    private func addConsents(to base: RouterGroup<BankContext>) {
        base.get("consents") { request, _ in
            try await known("consents.list", request) { try await listConsents($0) }
        }
        base.put("consents/:id/revoke") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await signed("consents.revoke", request) { caller, _ in try await revokeConsent(id, caller) }
        }
    }

    /// A call with a token.
    private func known(
        _ operation: String, _ request: Request, work: @escaping @Sendable (Caller) async throws -> JSONValue
    ) async throws -> Response {
        try await handle(operation, request) { call, bank in
            try await work(try await gate.caller(call, bank: bank))
        }
    }

    /// A call with a token and a signature.
    private func signed(
        _ operation: String, _ request: Request,
        work: @escaping @Sendable (Caller, JSONValue) async throws -> JSONValue
    ) async throws -> Response {
        try await handle(operation, request) { call, bank in
            let caller = try await gate.caller(call, bank: bank)
            return try await work(caller, try gate.signedData(caller))
        }
    }

    private func handle(
        _ operation: String, _ request: Request,
        work: @escaping @Sendable (WireCall, Bank) async throws -> JSONValue
    ) async throws -> Response {
        try await handler.handle(operation, bank: try await bank(of: request), request: request) { call, bank in
            Answer.json(["data": try await work(call, bank)])
        }
    }

    /// The provider that the caller's token belongs to, for faults and settings of one bank.
    private func bank(of request: Request) async throws -> Bank {
        let token = HTTPFields.Element.Name("Access-Token").flatMap { request.headers[$0] }
        let bank = try await services.store.read { db -> Bank? in
            guard let token, let connection = try SCAConnection.filter(Column("accessToken") == token).fetchOne(db)
            else { return nil }
            return try Bank.fetchOne(db, key: connection.providerID)
        }
        if let bank { return bank }
        return try await fallbackBank()
    }

    private func provider(_ id: String?) async throws -> Bank? {
        guard let id = id.flatMap(Int64.init) else { return nil }
        return try await services.store.read { db in try Bank.fetchOne(db, key: id) }
    }

    private func fallbackBank() async throws -> Bank { try await services.bank(code: Bank.defaultCode) }

    private func checkOwnConnection(_ context: BankContext, _ caller: Caller) throws {
        guard context.parameters.get("id", as: Int64.self) == caller.connection.id else {
            throw caller.errors.connectionNotFound
        }
    }
}
