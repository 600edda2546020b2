import ApprovalModel
import Web

/// Creating a connection in v1 (saltedge-v1 section 4).
enum V1Enrollment {
    private struct Created: Decodable {
        var id: BankID?
        var accessToken: String?
        var page: String?

        enum CodingKeys: String, CodingKey {
            case id
            case accessToken = "access_token"
            case page = "connect_url"
        }
    }

    static func create(_ new: NewConnection, over transport: Transport) async throws(BankError) -> CreatedConnection {
        let answer = try await transport.ask(
            Call("POST", new.configuration.baseURL.appending(path: V1.path + "/connections"), body: body(new)))
        let created = try answer.data(Created.self, .v1)
        // The token comes before the page (saltedge-v1 section 4.2).
        if let token = created.accessToken, !token.isEmpty {
            guard let id = created.id else {
                throw answer.malformed("the bank gave a token, but not the connection's id")
            }
            return CreatedConnection(id: id, next: .token(try AccessToken.checked(token)))
        }
        guard let page = created.page, !page.isEmpty else {
            throw answer.malformed("the bank's answer says neither token nor page")
        }
        return CreatedConnection(id: created.id, next: try new.next(page, answer))
    }

    private static func body(_ new: NewConnection) -> [UInt8] {
        var members: [(String, JSONText)] = [
            ("public_key", .text(new.publicKey)), ("return_url", .text(new.returnURL)),
            ("platform", .text(new.platform)), ("push_token", .text("")),
            ("provider_code", .text(new.configuration.code.untrusted)),
        ]
        if let query = new.connectQuery { members.append(("connect_query", .text(query.untrusted))) }
        return JSONText.object([("data", .object(members))]).bytes
    }
}

/// Constants of all v1 calls.
enum V1 {
    static let path = "/api/authenticator/v1"
}
