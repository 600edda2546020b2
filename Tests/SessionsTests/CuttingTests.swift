import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// What becomes of tokens that a program has when its grant is revoked.
struct CuttingTests {
    let time = TokenKeeperTests.Time()
    let store = MemorySessions()

    /// A session with a token of all scopes, and one of `mail` alone that runs out later.
    private func session() throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        let scopes = try #require(Scopes("openid mail"))
        let session = SignIn(
            id: SessionID("1"), name: try #require(SessionName("fern")),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date()),
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes, resources: [], identity: nil,
            at: Date())
        var tokens = TokenSet(TokenKeeperTests.grant(1), scopes: scopes, at: Moment(time.clock))
        tokens.access.append(
            AccessToken(
                TokenKeeperTests.grant(2, lifetime: 600), for: TokenAim(scopes: Scopes("mail")), scopes: .none,
                at: Moment(time.clock)))
        return try store.add(session, with: tokens)
    }

    private func grant(_ scopes: String, isUsed: Bool = true, id: String = "g1") throws -> ProgramGrant {
        if try store.sessions().isEmpty { _ = try session() }
        var grant = ProgramGrant(
            id: id, program: try #require(Program("unit:backup.service")), session: SessionID("1"),
            scopes: try #require(Scopes(scopes)), resources: [], use: .open, at: Date())
        if isUsed { grant.lastUsedAt = time.clock.now() }
        try store.add(grant, replacing: [])
        return grant
    }

    /// `answer`: what the issuer says to each token that is to end.
    private func sessions(
        _ answer: IssuerError? = nil, meanwhile: @escaping @Sendable () -> Void = {}
    ) -> (LocalSessions, @Sendable () -> [String]) {
        let heard = Heard()
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { (token, kind) async throws(IssuerError) in
            heard.all.withLock { $0.append("\(kind.rawValue) \(token)") }
            meanwhile()
            if let answer { throw answer }
        }
        let sessions = LocalSessions(
            store: store, service: issuer, clock: time.clock, makeID: { "00000000-0000-0000-0000-000000000000" },
            rejected: { _ in .newest })
        return (sessions, { heard.all.withLock { $0 } })
    }

    private final class Heard: Sendable {
        let all = Mutex<[String]>([])
    }

    private func tokens() throws -> [String] {
        try #require(try store.tokens(of: SessionID("1"))).access.map { token in
            token.token.secret.withBytes { String(decoding: $0, as: UTF8.self) } + (token.isDoubtful ? "?" : "")
        }
    }

    @Test func untilWhenTokensAreGood() async throws {
        // A narrow grant gives no token of all scopes.
        _ = try grant("mail")
        _ = try grant("mail", id: "g2")
        time.pass(100)
        #expect(try await sessions().0.revokeGrant("g1").tokensUntil == Timestamp(time.clock.now() + 500))
        time.pass(500)
        #expect(try await sessions().0.revokeGrant("g2").tokensUntil == nil)
    }

    @Test func aGrantThatWasNeverUsedGaveNothing() async throws {
        _ = try grant("openid mail", isUsed: false)
        let (sessions, ended) = sessions()
        let told = try await sessions.revokeGrant("g1", cut: true)
        #expect(told.tokensUntil == nil && told.cut == true && ended() == [])
        #expect(try tokens() == ["a1", "a2"])
    }

    @Test func tokensThatCannotBeReadAreNotCut() async throws {
        let grant = try grant("mail")
        var damaged = try #require(try store.tokens(of: grant.session))
        (damaged.end, damaged.access) = (.damaged, [])
        try store.write(damaged, of: grant.session)
        let (sessions, heard) = sessions()
        #expect(try await sessions.revokeGrant(grant.id, cut: true).cut == false && heard().isEmpty)
    }

    @Test func withoutACutTokensStayGood() async throws {
        _ = try grant("openid mail")
        let (sessions, ended) = sessions()
        let told = try await sessions.revokeGrant("g1")
        #expect(told.cut == nil && told.tokensUntil == Timestamp(time.clock.now() + 600) && ended() == [])
        #expect(try tokens() == ["a1", "a2"] && store.grants().isEmpty)
    }

    @Test(arguments: [
        ("mail", ["access_token a2"], ["a1"]), ("openid mail", ["access_token a1", "access_token a2"], []),
    ])
    func aCutEndsWhatTheProgramCouldHave(_ scopes: String, _ expected: [String], _ left: [String]) async throws {
        _ = try grant(scopes)
        let (sessions, ended) = sessions()
        let told = try await sessions.revokeGrant("g1", cut: true)
        #expect(told.cut == true && ended() == expected)
        #expect(try tokens() == left && store.grants().isEmpty)
        // The refresh token lives on: the person is still signed in.
        #expect(try store.tokens(of: SessionID("1"))?.isRefreshable == true)
    }

    @Test func aCutDoesNotUndoThatThePersonSignsOutMeanwhile() async throws {
        _ = try grant("mail")
        let store = store
        let (sessions, ended) = sessions(meanwhile: {
            _ = try? store.end(SessionID("1")) { _, tokens in
                (tokens.wiped(.timeOver), owing: [], noting: try .sample())
            }
        })
        let told = try await sessions.revokeGrant("g1", cut: true)
        #expect(told.cut == true && told.tokensUntil == nil && ended() == ["access_token a2"])
        let left = try #require(try store.tokens(of: SessionID("1")))
        #expect(left.end == .timeOver && left.all.isEmpty)
    }

    @Test func anIssuerThatEndsNothing() async throws {
        _ = try grant("mail")
        let (sessions, ended) = sessions(.noRevocation)
        let told = try await sessions.revokeGrant("g1", cut: true)
        #expect(told.cut == false && ended().count == 1)
        #expect(try tokens() == ["a1", "a2"] && store.grants().isEmpty && store.owed().isEmpty)
    }

    @Test func anIssuerThatCannotBeReachedIsToldLater() async throws {
        _ = try grant("openid mail")
        let (sessions, ended) = sessions(.unreachable(reason: "away"))
        let told = try await sessions.revokeGrant("g1", cut: true)
        #expect(told.cut == false && told.tokensUntil == Timestamp(time.clock.now() + 600))
        #expect(ended().count == 1, "it costs one wait")
        // Nobody gets them any more.
        #expect(try tokens() == [] && store.owed().map(\.kind) == [.access, .access])
    }
}
