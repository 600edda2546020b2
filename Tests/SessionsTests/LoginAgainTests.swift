import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Signing in to a session again: who may, and what hints lead there.
struct LoginAgainTests {
    private let fixture = LoginFixture()

    /// Another account never replaces one silently. A session that was nobody's becomes the one of whoever signs in to it; a login that names
    /// nobody is taken for the session's person if UserInfo says so.
    @Test(
        arguments: [
            (nil, "mira", nil, "mira"), (nil, nil, nil, "nobody"), ("mira", "mira", nil, "mira"),
            ("mira", nil, "mira", "mira"), ("mira", "ole", nil, "changed"), ("mira", "ole", "mira", "changed"),
            ("mira", nil, "ole", "changed"), ("mira", nil, nil, "changed"),
        ] as [(String?, String?, String?, String)])
    func whoIsTaken(_ row: (session: String?, login: String?, profile: String?, outcome: String)) async throws {
        let session = try fixture.session(of: row.session)
        let failure = await fixture.failure {
            try await fixture.run(LoginWish(.session(session)), person: row.login, profile: row.profile)
        }
        guard row.outcome == "changed" else {
            #expect(failure == nil)
            let present = try #require(try fixture.store.sessions().first)
            #expect((present.identity?.subject.untrusted ?? "nobody") == row.outcome)
            // How a person signed in is of one login alone.
            #expect(present.identity?.acr == nil)
            #expect(fixture.revoked.withLock { $0 } == ["r0"])
            return
        }
        #expect(failure?.kind == .changed && failure?.message.contains("fern is as it was") == true)
        #expect(try fixture.isAsItWas(session))
        #expect(fixture.revoked.withLock { $0 } == ["r1", "a1"])
    }

    /// Some issuers send an ID token that nobody asked for. Nothing judges it, so it is not kept.
    @Test(arguments: [(nil, false), ("mira", true)] as [(String?, Bool)])
    func anIDTokenIsKeptWhereItNamesThePerson(person: String?, isKept: Bool) async throws {
        var grant = TokenKeeperTests.grant(1)
        grant.idToken = MemorySecret("unasked")
        let session = try await fixture.run(LoginWish(.session(try fixture.session(of: nil))), person: person) {
            [grant] () async throws(IssuerError) in grant
        }
        let tokens = try #require(try fixture.store.tokens(of: session.id))
        #expect((tokens.idToken != nil, tokens.idState != nil) == (isKept, isKept))
        #expect(tokens.refreshToken.map { text($0.secret) } == "r1")
    }

    @Test func anIssuerWithoutUserInfoProvesNobody() async throws {
        let session = try fixture.session(of: "mira")
        let failure = await fixture.failure {
            try await fixture.run(
                LoginWish(.session(session)), person: nil, profile: "mira",
                metadata: try LoginFixture.metadata(userInfo: false))
        }
        #expect(failure?.kind == .changed && failure?.message.contains("does not say who signed in") == true)
    }

    /// Two logins to a session that was nobody's: the second one is not of the same person.
    @Test func aSessionThatBecameSomebodysMeanwhile() async throws {
        let session = try fixture.session(of: nil)
        let failure = await fixture.failure {
            try await fixture.run(LoginWish(.session(session))) {
                [store = fixture.store] () async throws(IssuerError) in
                _ = try? store.update(session.id) { session, _ in session.identity = Identity(subject: BankText("ole"))
                }
                return TokenKeeperTests.grant(1)
            }
        }
        #expect(failure?.kind == .changed && failure?.message.contains("(mira)") == true)
        #expect(try fixture.store.sessions().map(\.identity?.subject) == [BankText("ole")])
    }

    /// `--scope` replaces what a session asks for, so a hint names all of it.
    @Test(
        arguments: [
            (#"beyond"#, "countersign login fern --scope fern.read --scope fern.write"),
            (#"beyond service"#, "countersign login fern --resource https://api.fern.example"),
            (#"no ID token"#, "ask for one: countersign login fern --scope fern.read --scope openid"),
            (
                #"unknown account"#,
                "ask for that: countersign login fern --scope fern.read --scope openid; for a session of its own: countersign login https://fern.example --name NEW"
            ),
        ])
    func aHintThatWorks(_ row: (error: String, hint: String)) throws {
        let session = try fixture.session(of: "mira", asked: "fern.read")
        let error: SessionError =
            switch row.error {
            case "beyond": .beyond(session, scopes: ["fern.write"], resources: [])
            case "beyond service": .beyond(session, scopes: [], resources: ["https://api.fern.example"])
            case "no ID token": .noIDToken(session)
            default: .unknownAccount(session, asked: session.asked)
            }
        #expect(error.failure.hint == row.hint)
    }

    @Test func aBrowserBringsTheIDTokenThatADeviceDidNot() throws {
        let session = try fixture.session(of: "mira")
        for error in [SessionError.noIDToken(session), .unknownAccount(session, asked: session.asked)] {
            #expect(error.failure.hint?.hasPrefix("sign in with a browser: countersign login fern") == true)
        }
    }

    /// The languages of whoever signs in, and consent where the session asks for what takes it (OpenID Connect Core 1.0 section 11).
    @Test func whatThePageIsAskedFor() async throws {
        var wish = LoginWish(.session(try fixture.session(of: "mira", asked: "offline_access openid")))
        wish.languages = LanguageTags(locale: "de_AT.UTF-8")
        _ = try await fixture.run(wish)
        let asked = try #require(fixture.asked.withLock { $0.first })
        #expect(asked.languages.all == ["de-AT", "de"] && asked.prompt == "consent")
    }
}
