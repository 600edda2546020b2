import Basics
import FoundationEssentials
@testable import OAuth
@testable import SessionModel
@testable import Sessions
import Testing
import Web

/// What a person is told of each error of the authorization endpoint (oauth section 6.8), from the redirect to the exit code.
struct LoginRefusalTests {
    private static let redirect = "http://127.0.0.1:4711/callback/0a1b2c3d"
    private static let doctor = "countersign doctor --issuer https://login.fern.example"
    private static let login = "countersign login https://login.fern.example"

    private func offered(_ again: SignIn? = nil) throws -> Login.Offered {
        var issuer = IssuerMetadata(
            issuer: try #require(Issuer("https://login.fern.example")),
            authorizationEndpoint: try WebAddress("https://login.fern.example/authorize"),
            tokenEndpoint: try WebAddress("https://login.fern.example/token"), fetchedAt: Date())
        issuer.scopesSupported = ["openid", "fern.read", "evil\u{1B}[2J\u{202E}"]
        return Login.Offered(
            issuer: issuer, client: ClientRegistration(id: BankText("fern-client")),
            scopes: try #require(Scopes("openid fern.write")),
            resources: [try #require(ResourceIndicator("https://api.fern.example"))], again: again, extras: .none)
    }

    /// What the redirect with this query means.
    private func refusal(_ query: String) async throws -> Failure? {
        let offered = try offered()
        let client = try #require(offered.client)
        let transport = try Transport()
        let service = OAuthService(transport: transport, now: { Date() })
        let attempt = try #require(
            try await service.authorize(
                AuthorizationRequest(scopes: offered.scopes, redirectURI: Self.redirect), as: client, at: offered.issuer
            )
                as? Attempt)
        await transport.shutdown()
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        guard case .refused(let rejection) = attempt.judge("\(Self.redirect)?\(query)&state=\(state)") else {
            return nil
        }
        return LoginRefusal(rejection, of: offered, as: client).failure
    }

    /// The word; what is said, what helps, the kind and the exit code.
    @Test(arguments: [
        ("access_denied", "the sign-in was refused on the issuer's page", login, "refused", 5),
        ("invalid_request", "the issuer does not take this request", doctor, "refused", 5),
        ("unsupported_response_type", "the issuer does not take this request", doctor, "refused", 5),
        ("invalid_request_uri", "the issuer does not take this request", doctor, "refused", 5),
        ("invalid_request_object", "the issuer does not take this request", doctor, "refused", 5),
        ("request_not_supported", "the issuer does not take this request", "--verbose", "refused", 5),
        ("request_uri_not_supported", "the issuer does not take this request", "--verbose", "refused", 5),
        ("registration_not_supported", "the issuer does not take this request", doctor, "refused", 5),
        ("unauthorized_client", "the client fern-client may not sign in this way", "--client-id", "refused", 5),
        ("invalid_scope", "one of these scopes: fern.write openid", "it lists: openid fern.read evil", "refused", 5),
        ("invalid_target", "one of these services: https://api.fern.example", "--resource", "refused", 5),
        ("server_error", "the issuer has a problem", "later", "unreachable", 6),
        ("temporarily_unavailable", "the issuer has a problem", "later", "unreachable", 6),
        ("login_required", "the issuer wants you to sign in on its page", login, "signed_out", 3),
        ("interaction_required", "the issuer wants you to sign in on its page", login, "signed_out", 3),
        ("account_selection_required", "the issuer wants you to sign in on its page", login, "signed_out", 3),
        ("consent_required", "the issuer wants you to sign in on its page", login, "signed_out", 3),
        ("unmet_authentication_requirements", "as strongly as asked", "without --acr", "refused", 5),
        ("fern_is_out", "the issuer refuses this sign-in", "--verbose", "refused", 5),
    ])
    func anErrorOfThePage(
        _ row: (word: String, cause: String, hint: String, kind: String, code: Int32)
    ) async throws {
        let failure = try #require(try await refusal("error=\(row.word)"))
        #expect(failure.message.contains(row.cause), "\(failure.message)")
        #expect(failure.message.hasSuffix("(the issuer says: \(row.word))"), "\(failure.message)")
        #expect(failure.hint?.contains(row.hint) == true, "\(failure.hint ?? "")")
        #expect(failure.kind.rawValue == row.kind && failure.exitCode == row.code)
    }

    /// The issuer's words and the page that it names are shown safely and shortened.
    @Test(arguments: ["access_denied", "invalid_scope", "unauthorized_client", "fern_is_out", "x\u{1B}[2J"])
    func wordsOfTheIssuer(_ word: String) async throws {
        let long = String(repeating: "a", count: 3000)
        let form = [
            ("error", word), ("error_description", "said \u{1B}]0;x\u{7}\u{202E}so \(long)"),
            ("error_uri", "https://fern.example/\u{1B}[2J\u{200B}\(long)"),
        ].map { "\($0)=\(URLText.encode($1))" }.joined(separator: "&")
        let failure = try #require(try await refusal(form))
        let told = failure.message + (failure.hint ?? "")
        #expect(told.contains("it names a page about this: https://fern.example/"))
        #expect(!told.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}\u{200B}".unicodeScalars.contains($0) }, "\(told)")
        #expect(told.count < 1200)
    }

    /// Two ways of signing in of clients; what they may lack is named.
    @Test(
        arguments: [
            (nil, "none", false), (["none"], "none", false), (["client_secret_basic"], "none", true),
            (["client_secret_post"], "client_secret_post", false),
        ] as [([String]?, String, Bool)])
    func aClientThatIsNotTaken(_ row: (listed: [String]?, way: String, isNamed: Bool)) throws {
        var offered = try offered()
        offered.issuer.tokenEndpointAuthMethods = row.listed
        let way = try #require(ClientRegistration.Authentication(rawValue: row.way))
        let client = ClientRegistration(id: BankText("c"), authentication: way)
        let failure = LoginRefusal(Rejection(.client, status: 401), of: offered, as: client).failure
        #expect(failure.hint?.contains("--client-secret-file") == row.isNamed)
        #expect(failure.hint?.contains("--client-id ID") == true)
        let own = ClientRegistration(id: BankText("c"), isRegisteredHere: true)
        func hint() -> String? { LoginRefusal(Rejection(.client, status: 401), of: offered, as: own).failure.hint }
        // It was registered by this login: another registration would be refused as well.
        let secret =
            "register a client with a secret there, then: \(Self.login) --client-id ID --redirect-uri URI --client-secret-file PATH"
        #expect(hint() == secret)
        offered.client = own
        #expect(hint() == "the next login registers this program anew: \(Self.login)")
        offered.isClientUnproven = true
        #expect(hint() == secret)
    }

    @Test func aProgramThatIsNotRegistered() throws {
        let failure = LoginRefusal(Rejection(.other, status: 403), of: try offered(), as: nil).failure
        #expect(failure.message == "the issuer does not register this program (HTTP 403)" && failure.exitCode == 5)
    }
}
