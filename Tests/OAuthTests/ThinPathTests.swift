import Basics
import FoundationEssentials
import OAuth
import SessionModel
import Testing
import Web

/// A login, a renewal and a revocation at the strict issuer.
struct ThinPathTests {
    static let redirect = "http://127.0.0.1:4711/callback/0a1b2c3d"

    private func withIssuer(
        _ options: String..., body: (TestIssuer, OAuthService) async throws -> Void
    ) async throws {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport)
        for option in options { try await issuer.control(option) }
        let service = OAuthService(transport: transport, now: { Date() })
        do { try await body(issuer, service) } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
    }

    private func login(
        _ issuer: TestIssuer, _ service: OAuthService
    ) async throws -> (DiscoveredIssuer, ClientRegistration, TokenGrant, Identity?) {
        let found = try await service.discover(issuer.address)
        let client = try await service.register(
            redirectURI: Self.redirect, forDevices: false, at: found.metadata)
        let request = AuthorizationRequest(
            scopes: try #require(Scopes("openid fern.read")), redirectURI: Self.redirect)
        let attempt = try await service.authorize(request, as: client, at: found.metadata)
        let address = try await issuer.signIn(attempt.page)
        guard case .code(let code) = attempt.judge(address) else {
            Issue.record("no code in the redirect")
            throw IssuerError.unsupported(reason: "no code")
        }
        let grant = try await attempt.exchange(code, as: client)
        return (found, client, grant, try await attempt.identity(in: grant))
    }

    @Test(arguments: [
        #"{"set":{"alg":"RS256"}}"#, #"{"set":{"alg":"RS512"}}"#, #"{"set":{"alg":"PS256"}}"#,
        #"{"set":{"alg":"ES256"}}"#, #"{"set":{"alg":"ES384"}}"#, #"{"set":{"require_par":true}}"#,
        // Tokens of public clients cannot be ended there.
        #"{"set":{"revocation":"secret","metadata":{"revocation_endpoint_auth_methods_supported":["client_secret_basic"]}}}"#,
        #"{"set":{"revocation":"secret","metadata":{"revocation_endpoint_auth_methods_supported":["client_secret_post"]}}}"#,
    ])
    func aLoginARenewalAndARevocation(_ option: String) async throws {
        try await withIssuer(option) { issuer, service in
            let (found, client, grant, identity) = try await login(issuer, service)
            let person = try #require(identity)
            #expect(person.subject.untrusted == "mira")
            #expect(grant.scopes == Scopes("fern.read openid"))
            let refreshToken = try #require(grant.refreshToken)
            guard
                case .granted(let next) = await service.refresh(
                    refreshToken, RefreshRequest(), as: client, at: found.metadata)
            else {
                Issue.record("no renewal")
                return
            }
            func judge(_ person: Identity, _ client: ClientRegistration, _ metadata: IssuerMetadata) async throws
                -> String
            {
                "\(try await service.judge(renewal: next, of: person, as: client, at: metadata, .none))"
            }
            #expect(try await judge(person, client, found.metadata) == "right")
            var (other, stranger, changed) = (person, client, found.metadata)
            other.subject = BankText("ole")
            stranger.id = BankText("stranger")
            changed.idTokenAlgorithms = ["EdDSA"]
            #expect(try await judge(other, client, found.metadata) == "ofAnother")
            #expect(try await judge(person, stranger, found.metadata) == "ofAnother")
            #expect(try await judge(person, client, changed).hasPrefix("faulty"))
            let last = try #require(next.refreshToken)
            try await service.revoke(last, .refresh, as: client, at: found.metadata)
            guard
                case .rejected(let rejection) = await service.refresh(
                    last, RefreshRequest(), as: client, at: found.metadata)
            else {
                Issue.record("the token was revoked")
                return
            }
            #expect(rejection.kind == .grant)
        }
    }

    /// At the issuer's own keys; every other fault has its vector (IDTokenVectorTests).
    @Test(arguments: [
        (#"{"sign":"foreign"}"#, "signature is wrong"), (#"{"sign":"unlisted"}"#, "not among the issuer's"),
        (#"{"id_token":{"nonce":null}}"#, "answers another login"),
    ])
    func anIDTokenThatIsNotRight(_ options: String, _ reason: String) async throws {
        try await withIssuer("{\"set\":\(options)}") { issuer, service in
            let error = await #expect(throws: IssuerError.self) { _ = try await login(issuer, service) }
            guard case .contradiction(let text) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(text.contains(reason), "\(text)")
        }
    }
}
