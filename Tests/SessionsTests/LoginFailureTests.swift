import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// What a login leaves that its issuer refused or did not answer (oauth section 7.5, the column of the code).
struct LoginFailureTests {
    private let fixture = LoginFixture()

    private func client(_ isRegisteredHere: Bool = true) -> ClientRegistration {
        ClientRegistration(id: BankText("c"), isRegisteredHere: isRegisteredHere)
    }

    /// The session that is signed in to again keeps what it had, and nothing that was granted stays good.
    @Test(arguments: [
        ("grant", "refused", 5, "the code was not accepted"), ("client", "refused", 5, "the client c"),
        ("no answer", "unknown", 9, "nothing was kept"), ("unreachable", "unreachable", 6, "HTTP 503"),
        ("redirect", "refused", 5, "answered with a redirect"), ("type", "refused", 5, "a kind of token"),
        ("scope", "refused", 5, "fern.read openid"), ("target", "refused", 5, "one of these services: none"),
        ("other", "refused", 5, "(HTTP 418)"),
    ])
    func aCodeThatBringsNoSession(_ row: (answer: String, kind: String, code: Int32, words: String)) async throws {
        let session = try fixture.session(of: "mira")
        let answer: @Sendable () async throws(IssuerError) -> TokenGrant = { () async throws(IssuerError) in
            switch row.answer {
            case "grant": throw IssuerError.refused(Rejection(.grant, status: 400))
            case "client": throw IssuerError.refused(Rejection(.client, status: 401))
            case "redirect": throw IssuerError.refused(Rejection(.redirect, status: 302))
            case "scope": throw IssuerError.refused(Rejection(.scope, status: 400))
            case "target": throw IssuerError.refused(Rejection(.target, status: 400))
            case "other": throw IssuerError.refused(Rejection(.other, status: 418))
            case "no answer": throw IssuerError.noAnswer(reason: "the answer is not one of a token endpoint")
            case "unreachable": throw IssuerError.unreachable(reason: "the issuer has no time (HTTP 503)")
            default:
                var grant = TokenKeeperTests.grant(1)
                grant.type = .other(BankText("mac"))
                return grant
            }
        }
        let failure = await fixture.failure { try await fixture.run(LoginWish(.session(session)), answer) }
        #expect(failure?.kind.rawValue == row.kind && failure?.exitCode == row.code)
        #expect(failure?.message.contains(row.words) == true, "\(failure?.message ?? "")")
        #expect(try fixture.isAsItWas(session))
        #expect(fixture.revoked.withLock { $0 } == (row.answer == "type" ? ["r1", "a1"] : []))
        // A registration of ours that the issuer does not know is dropped.
        #expect((try fixture.store.tokens(of: session.id)?.isClientInDoubt ?? false) == (row.answer == "client"))
    }

    /// A registration is not dropped by what a browser brings.
    @Test func aNoOfThePageChangesNothing() async throws {
        let session = try fixture.session(of: "mira")
        let failure = await fixture.failure {
            try await fixture.run(LoginWish(.session(session)), judgement: .refused(Rejection(.client)))
        }
        #expect(failure?.exitCode == 5 && failure?.hint?.contains("countersign login fern --client-id ID") == true)
        #expect(try fixture.isAsItWas(session))
        #expect(try fixture.store.tokens(of: session.id)?.isClientInDoubt != true)
    }

    /// Nobody sent a link where an issuer's documents or tokens do not fit together.
    @Test func onlyARedirectWarnsOfLinks() {
        let failure = IssuerError.contradiction(reason: "the ID token cannot be used: it is old").failure
        #expect(failure.kind == .changed)
        #expect(failure.hint == "see what is wrong: countersign doctor --issuer URL; or ask the issuer")
    }

    @Test func anAnswerOfAnotherIssuer() async throws {
        let session = try fixture.session(of: "mira")
        let failure = await fixture.failure {
            try await fixture.run(
                LoginWish(.session(session)), judgement: .contradiction(reason: "the redirect came from another issuer")
            )
        }
        #expect(failure?.exitCode == 8 && failure?.message.hasSuffix("; nothing was sent") == true)
        #expect(
            failure?.hint
                == "do not sign in by a link that somebody sent you; begin again: countersign login https://fern.example"
        )
        #expect(try fixture.isAsItWas(session))
    }

    /// Of the session before, or of the issuer where there is none.
    @Test(arguments: [true, false])
    func theHintNamesWhatWasTyped(_ isAgain: Bool) async throws {
        let address = LoginWish(.address(try WebAddress("https://fern.example")))
        let wish = isAgain ? LoginWish(.session(try fixture.session(of: "mira"))) : address
        let failure = await fixture.failure {
            try await fixture.run(wish) { () async throws(IssuerError) in throw .refused(Rejection(.grant)) }
        }
        let target = isAgain ? "fern" : "https://fern.example"
        #expect(failure?.hint == "sign in again: countersign login \(target)")
    }

    /// What was asked for and not granted, and the service that named the issuer.
    @Test(
        arguments: [
            ("fern.read openid", "fern.read openid", true, []), ("fern.read openid", "openid", true, ["fern.read"]),
            // One issuer leaves this word out, and renews.
            ("offline_access openid", "openid", true, []),
            ("offline_access openid", "openid", false, ["offline_access"]),
        ] as [(String, String, Bool, [String])])
    func whatWasNotGranted(_ row: (asked: String, granted: String, renews: Bool, missing: [String])) throws {
        var session = try fixture.session(of: "mira", asked: row.asked)
        session.granted = try #require(Scopes(row.granted))
        let now = Moment(fixture.time.clock)
        let tokens = TokenSet(TokenKeeperTests.grant(1, refresh: row.renews), scopes: session.granted, at: now)
        let signedIn = SignedInPayload(
            SessionPayload(session, tokens, by: .never, at: now), .none, askedFor: session.asked,
            renewalOptions: nil, namedBy: ResourceIndicator("https://api.fern.example"))
        #expect(signedIn.notGranted == row.missing && signedIn.service == "https://api.fern.example")
    }

    /// The options that may bring a refresh token: none that the login had, and for Google its own.
    @Test(
        arguments: [
            ("https://fern.example", "openid", [], [], "--offline"),
            ("https://fern.example", "offline_access openid", [], [], nil),
            ("https://accounts.google.com", "openid", [], [], "--parameter access_type=offline --prompt consent"),
            ("https://accounts.google.com", "openid", ["access_type"], [], "--prompt consent"),
            ("https://accounts.google.com/", "openid", [], [.consent], "--parameter access_type=offline"),
            ("https://accounts.google.com", "openid", ["access_type"], [.consent], nil),
            ("https://fern.example", "openid", ["access_type"], [.selectAccount], "--prompt consent"),
        ] as [(String, String, [String], [LoginPrompt], String?)])
    func whatBringsARefreshToken(
        _ row: (issuer: String, asked: String, parameters: [String], prompts: [LoginPrompt], options: String?)
    ) throws {
        var session = try fixture.session(of: "mira", asked: row.asked)
        session.issuer.issuer = try #require(Issuer(row.issuer))
        for name in row.parameters { session.extras = try #require(session.extras.adding(name, "offline")) }
        #expect(session.renewalOptions(after: row.prompts) == row.options)
        // An issuer file may ask for consent at each login.
        session.extras.prompts = row.prompts
        #expect(session.renewalOptions() == row.options)
    }
}
