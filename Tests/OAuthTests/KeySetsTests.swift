import Basics
import FoundationEssentials
import SessionModel
import Synchronization
import Testing
import Web

@testable import OAuth

/// When the keys of an issuer are fetched again.
struct KeySetsTests {
    /// A clock that stands until it is moved.
    private final class StandingClock: Sendable {
        private let moment = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLock { $0 } }
        func pass(_ time: Duration) { moment.withLock { $0 += time } }
    }

    private struct Token {
        var text: any Secret
        var access: any Secret
    }

    /// A token that the issuer signs now, as a login brings it.
    private func token(_ issuer: TestIssuer, _ service: OAuthService) async throws -> (Token, IDTokenExpectation) {
        let found = try await service.discover(issuer.address)
        let client = try await service.register(redirectURI: redirect, forDevices: false, at: found.metadata)
        let request = AuthorizationRequest(scopes: try #require(Scopes("openid")), redirectURI: redirect)
        let attempt = try await service.authorize(request, as: client, at: found.metadata)
        guard case .code(let code) = attempt.judge(try await issuer.signIn(attempt.page)) else {
            throw IssuerError.unsupported(reason: "no code")
        }
        let grant = try await attempt.exchange(code, as: client)
        let expected = IDTokenExpectation(issuer: found.metadata, client: client.id, nonce: nil, time: Date())
        return (Token(text: try #require(grant.idToken), access: grant.accessToken), expected)
    }

    private let redirect = "http://127.0.0.1:4711/callback/0a1b2c3d"

    /// Whether the issuer names its keys anew or keeps their name: a token by a new key is right once five minutes have passed, and one by
    /// a key that is gone is right no longer than an hour.
    @Test(arguments: [#"null"#, #""one""#])
    func keysAreFetchedAgain(_ name: String) async throws {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport)
        let service = OAuthService(transport: transport, now: { Date() })
        let clock = StandingClock()
        let sets = KeySets(transport: transport, now: { clock.now })
        func judge(_ token: Token, _ expected: IDTokenExpectation) async throws -> IDTokenFault? {
            switch try await sets.judge(token.text, expected, accessToken: token.access) {
            case .success: nil
            case .failure(let fault): fault
            }
        }
        try await issuer.control("{\"set\":{\"kid\":\(name)}}")
        let (old, expected) = try await token(issuer, service)
        #expect(try await judge(old, expected) == nil)
        try await issuer.control(#"{"do":"new_key"}"#)
        let (new, later) = try await token(issuer, service)
        let fault: IDTokenFault = name == "null" ? .unknownKey : .badSignature
        clock.pass(.seconds(299))
        #expect(try await judge(new, later) == fault)
        // The old keys are still believed, and nobody asked for others.
        #expect(try await judge(old, expected) == nil)
        clock.pass(.seconds(1))
        #expect(try await judge(new, later) == nil)
        #expect(try await judge(old, expected) == fault)

        try await issuer.control(#"{"do":"new_key"}"#)
        clock.pass(.seconds(3599))
        #expect(try await judge(new, later) == nil)
        clock.pass(.seconds(1))
        #expect(try await judge(new, later) == fault)
        await transport.shutdown()
    }
}
