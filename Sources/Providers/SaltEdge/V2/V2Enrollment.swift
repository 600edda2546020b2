import Basics
import ApprovalModel
import Cryptography
import Web

/// Constants of all v2 calls.
enum V2 {
    static let path = "/api/authenticator/v2"

    /// Encrypts `text` for the provider (saltedge-v2 section 4.2). Throws `cryptography`.
    static func seal(
        _ text: [UInt8], for providerKey: String?, known keys: ProviderKeys = ProviderKeys()
    ) throws(BankError) -> JSONText {
        do {
            let recipient = try keys.key(providerKey ?? "")
            var bytes = text
            let envelope = try Envelope.seal(try LockedBytes(wiping: &bytes), for: recipient)
            return .object([("key", .text(envelope.key)), ("iv", .text(envelope.iv)), ("data", .text(envelope.data))])
        } catch {
            throw BankError(.cryptography, "nothing could be encrypted for the bank")
        }
    }
}

/// Creating a connection in v2 (saltedge-v2 section 6.1).
enum V2Enrollment {
    private struct Created: Decodable {
        var id: BankID
        var page: String

        enum CodingKeys: String, CodingKey {
            case id = "connection_id"
            case page = "authentication_url"
        }
    }

    /// Uploads the public key. Leaves out `push_token`, since this program receives no push messages.
    static func create(_ new: NewConnection, over transport: Transport) async throws(BankError) -> CreatedConnection {
        var members: [(String, JSONText)] = [
            ("provider_id", .text(new.configuration.code.untrusted)), ("return_url", .text(new.returnURL)),
            ("platform", .text(new.platform)),
        ]
        if let query = new.connectQuery { members.append(("connect_query", .text(query.untrusted))) }
        let key = try V2.seal(Array(new.publicKey.utf8), for: new.configuration.providerKey)
        members.append(("enc_rsa_public_key", key))
        let answer = try await transport.ask(
            Call(
                "POST", new.configuration.baseURL.appending(path: V2.path + "/connections"),
                body: JSONText.object([("data", .object(members))]).bytes))
        let created = try answer.data(Created.self, .v2)
        var next = try new.next(created.page, answer)
        if new.connectQuery != nil, case .page(let page) = next,
            let address = await redirect(from: page, new, transport)
        {
            next = .redirect(address)
        }
        return CreatedConnection(id: created.id, next: next)
    }

    /// With a valid `connect_query` the page redirects to our return URL at once, and no browser is needed. This
    /// follows the page's redirects, at most 3, at the same origin and without cookies, and returns the address that
    /// they lead to. Nil when the page does anything else; then a browser must open it.
    private static func redirect(from page: WebAddress, _ new: NewConnection, _ transport: Transport) async -> String? {
        var page = page
        for _ in 0...3 {
            let look = Call(
                method: "GET", address: page,
                headers: [("Accept", "text/html"), ("Accept-Language", "en"), ("User-Agent", UserAgent.text)])
            guard let location = try? await transport.ask(look).redirect else { return nil }
            if Redirect.parse(location, returnURL: new.returnURL) != nil { return location }
            guard let next = page.resolving(location), next.origin == page.origin else { return nil }
            page = next
        }
        return nil
    }
}
