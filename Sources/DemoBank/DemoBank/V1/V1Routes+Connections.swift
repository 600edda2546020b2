import GRDB
import Hummingbird

extension V1Routes {
    /// How long the sign-in page of an enrollment stays open (the Java server: 5 minutes).
    private static let loginLifetime = 300.0

    /// saltedge-v1 section 3.
    func configuration(of bank: Bank) -> Response {
        var members: [String: JSONValue] = [
            "connect_url": .string(services.baseURL(of: bank)),
            "code": .string(bank.code),
            "name": .string(bank.name),
            "logo_url": .string(services.baseURL(of: bank) + "/logo.svg"),
            "support_email": .string("help@\(bank.code).example"),
            "version": "1",
        ]
        // The Ruby server leaves out consents, which it does not have, and the geolocation switch.
        if bank.style == .java {
            members["consent_management"] = true
            switch bank.geolocation {
            case .required: members["geolocation_required"] = true
            case .optional: members["geolocation_required"] = false
            case .unsupported: members["geolocation_required"] = .null
            }
        }
        return Answer.json(["data": .object(members)], contentType: Self.contentType(bank.style))
    }

    /// saltedge-v1 sections 4.1 and 4.2.
    func createConnection(call: WireCall, bank: Bank) async throws -> Response {
        var connection = try draftConnection(call: call, bank: bank)
        let query = JSONValue(parsing: call.body)?["data"]?["connect_query"]?.string
        let now = services.clock.now
        let draft = connection
        let (created, link) = try await services.store.write { db in
            var connection = draft
            try connection.insert(db)
            let link = try query.flatMap { try EnrollmentLink.take($0, bank: bank, version: .v1, at: now, in: db) }
            if let link { _ = try connection.activate(user: link.userID, in: db) }
            return (connection, link)
        }
        connection = created

        var answer: [String: JSONValue] = ["id": .string(connection.wireID)]
        if let link, let token = connection.accessToken {
            switch link.instantStyle {
            case .token:
                answer["access_token"] = .string(token)
            case .redirect:
                answer["connect_url"] = .string(V1Redirect(style: bank.style).success(connection, token: token))
            }
        } else {
            answer["connect_url"] = .string("\(services.baseURL(of: bank))/connect/\(connection.loginSecret)")
        }
        return Answer.json(["data": .object(answer)], contentType: Self.contentType(bank.style))
    }

    private func draftConnection(call: WireCall, bank: Bank) throws -> Connection {
        let errors = V1Errors(style: bank.style)
        guard let body = JSONValue(parsing: call.body) else { throw errors.emptyOr(errors.notJSON) }
        guard case .object(let data) = body["data"] else {
            throw errors.emptyOr(errors.wrongRequest("data is missing"))
        }
        guard let publicKey = data["public_key"]?.string.flatMap(RSAKeyText.normalizedPublicKey) else {
            throw errors.emptyOr(errors.wrongRequest("public_key is missing or not an RSA key"))
        }
        guard let platform = data["platform"]?.string, !platform.isEmpty, platform.utf8.count <= 32 else {
            throw errors.emptyOr(errors.wrongRequest("platform is missing"))
        }
        guard let returnURL = data["return_url"]?.string, !returnURL.isEmpty else {
            throw errors.emptyOr(errors.wrongRequest("return_url is missing"))
        }
        // The Java server takes a push token that is absent or text; an explicit null is refused.
        let pushToken = data["push_token"]
        if bank.style == .java, let pushToken, pushToken.string == nil {
            throw errors.emptyOr(errors.wrongRequest("push_token is not text"))
        }
        let now = services.clock.now
        return Connection(
            bankID: bank.id ?? 0, protocolVersion: .v1, publicKey: publicKey, returnURL: returnURL,
            platform: platform, pushToken: pushToken?.string, loginSecret: RandomText.token(),
            loginExpiresAt: now + Self.loginLifetime, createdAt: now)
    }

    /// saltedge-v1 section 9.2.
    func showConnection(_ caller: Caller) async throws -> Response {
        let connection = caller.connection
        return caller.answer([
            "id": .string(connection.wireID),
            "created_at": .time(connection.createdAt),
            "push_token": .optional(connection.pushToken),
            "platform": .string(connection.platform),
            "return_url": .string(connection.returnURL),
        ])
    }

    /// saltedge-v1 section 9.1.
    func revokeConnection(_ caller: Caller) async throws -> Response {
        let now = services.clock.now
        let connection = caller.connection
        try await services.store.write { db in
            var connection = connection
            try connection.revoke(at: now, in: db)
        }
        return caller.answer(["success": true, "access_token": .optional(connection.accessToken)])
    }
}
