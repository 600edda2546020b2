import Hummingbird

/// The identity service of v1: `GET configuration`, `POST connections` and the signed calls.
struct V1Routes: Sendable {
    let services: BankServices
    let handler: WireCallHandler

    init(services: BankServices) {
        self.services = services
        handler = WireCallHandler(services: services) { error, bank in Self.answer(error, style: bank.style) }
    }

    func add(to group: RouterGroup<BankContext>) {
        let base = group.group("api/authenticator/v1")
        base.get("configuration") { request, context in
            try await handler.handle("configuration", bank: try await services.bank(context), request: request) {
                configuration(of: $1)
            }
        }
        base.post("connections") { request, context in
            try await handler.handle("connections.create", bank: try await services.bank(context), request: request) {
                try await createConnection(call: $0, bank: $1)
            }
        }
        base.get("connections") { request, context in
            try await signed("connections.show", request, context) { try await showConnection($0) }
        }
        base.delete("connections") { request, context in
            try await signed("connections.revoke", request, context) { try await revokeConnection($0) }
        }
        addAuthorizations(to: base)
        addConsents(to: base)
        base.put("actions/:uuid") { request, context in
            let uuid = try context.parameters.require("uuid")
            return try await signed("actions.claim", request, context) { try await claimAction(uuid, $0) }
        }
    }

    private func addAuthorizations(to base: RouterGroup<BankContext>) {
        base.get("authorizations") { request, context in
            try await signed("authorizations.list", request, context) { try await listAuthorizations($0) }
        }
        base.get("authorizations/:id") { request, context in
            let id = try context.parameters.require("id")
            return try await signed("authorizations.show", request, context) {
                try await showAuthorization(id, $0)
            }
        }
        base.put("authorizations/:id") { request, context in
            let id = try context.parameters.require("id")
            return try await handler.handle(
                "authorizations.decide", bank: try await services.bank(context), request: request
            ) { call, bank in
                try await countDecision(id, bank: bank)
                return try await decideAuthorization(id, try await caller(call, bank: bank))
            }
        }
    }

    private func addConsents(to base: RouterGroup<BankContext>) {
        base.get("consents") { request, context in
            try await signed("consents.list", request, context) { try await listConsents($0) }
        }
        base.delete("consents/:id") { request, context in
            let id = try context.parameters.require("id")
            return try await signed("consents.revoke", request, context) { try await revokeConsent(id, $0) }
        }
    }

    /// A call whose signature has been verified.
    struct Caller: Sendable {
        let call: WireCall
        let bank: Bank
        let connection: Connection

        var errors: V1Errors { V1Errors(style: bank.style) }

        /// The Ruby server sends its JSON as `text/html`.
        func answer(_ data: JSONValue) -> Response {
            Answer.json(["data": data], contentType: V1Routes.contentType(bank.style))
        }
    }

    private func signed(
        _ operation: String, _ request: Request, _ context: BankContext,
        work: @escaping @Sendable (Caller) async throws -> Response
    ) async throws -> Response {
        try await handler.handle(operation, bank: try await services.bank(context), request: request) { call, bank in
            try await work(try await caller(call, bank: bank))
        }
    }

    private func caller(_ call: WireCall, bank: Bank) async throws -> Caller {
        Caller(
            call: call, bank: bank, connection: try await V1Gate(services: services, bank: bank).connection(for: call))
    }

    static func contentType(_ style: Bank.Style) -> String {
        style == .ruby ? "text/html;charset=utf-8" : "application/json; charset=utf-8"
    }

    private static func answer(_ error: WireError, style: Bank.Style) -> Response {
        let status = HTTPResponse.Status(code: error.status)
        guard let errorClass = error.errorClass else { return Answer.empty(status) }
        return Answer.json(
            ["error_class": .string(errorClass), "error_message": .string(error.message)], status: status,
            contentType: contentType(style))
    }
}
