import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// Sessions that are signed out because their time is over.
final class DueSignOutTests: Sendable {
    private let time = TokenKeeperTests.Time()
    private let store = MemorySessions()
    private let revoked = Mutex<[String]>([])
    private let clock = SignOutClock(.never) { _ in 0 }

    private func add(
        _ name: String, until rule: SignOutRule?, keep: Bool = false, tokens number: Int = 1
    ) throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.revocationEndpoint = issuer.address
        var session = SignIn(
            id: SessionID(name), name: try #require(SessionName(name)), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: .none, resources: [], identity: nil,
            at: time.clock.now())
        session.signedInAt = Moment(time.clock)
        session.order(rule, keep: nil, at: Moment(time.clock))
        session.isKept = keep
        return try store.add(
            session,
            with: TokenSet(TokenKeeperTests.grant(number, idToken: true), scopes: .none, at: Moment(time.clock)))
    }

    private func issuer(isDown: Bool = false) -> ScriptedIssuer {
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { token, _ async throws(IssuerError) in
            if isDown { throw .unreachable(reason: "down") }
            self.revoked.withLock { $0.append(token) }
        }
        return issuer
    }

    private func signOut(_ issuer: ScriptedIssuer) -> SignOut {
        let number = Mutex(0)
        return SignOut(service: issuer, store: store, clock: time.clock) {
            number.withLock { number in
                number += 1
                return "\(number)"
            }
        }
    }

    private func keeper(_ issuer: ScriptedIssuer) -> TokenKeeper {
        TokenKeeper(service: issuer, store: store, clock: time.clock, signOutClock: clock, makeID: { "new" })
    }

    private func reason(_ body: () async throws -> Void) async -> EndReason? {
        do {
            try await body()
            return nil
        } catch SessionError.signedOut(_, let reason) { return reason } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func theTokensGoAndTheSessionStays() async throws {
        let fern = try add("fern", until: .after(seconds: 100))
        _ = try add("kept", until: nil, keep: true, tokens: 2)
        _ = try add("later", until: .after(seconds: 101), tokens: 3)
        let signOut = signOut(issuer())
        time.pass(99)
        #expect(try !signOut.isAnyDue(by: clock) && signOut.endDue(by: clock).isEmpty)
        time.pass(1)
        #expect(try signOut.isAnyDue(by: clock))
        #expect(try signOut.endDue(by: clock).map(\.words) == ["fern was signed out when its time was over"])
        // The issuer is told after that.
        #expect(revoked.withLock { $0.isEmpty })
        let left = try #require(try store.tokens(of: fern.id))
        #expect(left.end == .timeOver && left.all.isEmpty && left.idToken == nil)
        #expect(try store.sessions().map(\.name.text) == ["fern", "kept", "later"])
        try await signOut.settle()
        #expect(revoked.withLock { $0 } == ["r1", "a1"])
        #expect(try store.owed().isEmpty)
        // It is done once.
        #expect(try !signOut.isAnyDue(by: clock) && signOut.endDue(by: clock).isEmpty)
    }

    @Test func anIssuerThatIsDownIsToldLater() async throws {
        _ = try add("fern", until: .after(seconds: 100))
        time.pass(100)
        let signOut = signOut(issuer(isDown: true))
        _ = try signOut.endDue(by: clock)
        try await signOut.settle()
        #expect(try store.owed().map(\.kind) == [.refresh, .access])
    }

    /// Whether or not anybody has looked.
    @Test func nothingIsHandedOutAfterTheTime() async throws {
        let fern = try add("fern", until: .after(seconds: 100))
        time.pass(99)
        #expect(text(try await keeper(issuer()).token(of: fern, lasting: 0).token.secret) == "a1")
        time.pass(1)
        #expect(await reason { _ = try await keeper(issuer()).token(of: fern, lasting: 0) } == .timeOver)
        #expect(await reason { _ = try await keeper(issuer()).idToken(of: fern, lasting: 0) } == .timeOver)
        #expect(store.state.withLock { $0.written.isEmpty })
        let payload = SessionPayload(fern, try store.tokens(of: fern.id), by: clock, at: Moment(time.clock))
        #expect(payload.status == "ended" && payload.reason == .ended(.timeOver) && payload.signOutAt == nil)
        _ = try signOut(issuer()).endDue(by: clock)
        #expect(await reason { _ = try await keeper(issuer()).token(of: fern, lasting: 0) } == .timeOver)
    }

    /// What it brought is ended at the issuer.
    @Test(arguments: [true, false]) func aRenewalThatIsUnderWayDoesNotUndoIt(_ isGranted: Bool) async throws {
        let fern = try add("fern", until: .after(seconds: 400))
        time.pass(399)
        var issuer = issuer()
        issuer.onRefresh = { token, _ in
            #expect(token == "r1")
            self.time.pass(1)
            #expect((try? self.signOut(ScriptedIssuer()).endDue(by: self.clock).count) == 1)
            return isGranted ? .granted(TokenKeeperTests.grant(2)) : .rejected(Rejection(.grant))
        }
        #expect(await reason { _ = try await keeper(issuer).token(of: fern, lasting: 60) } == .timeOver)
        let left = try #require(try store.tokens(of: fern.id))
        #expect(left.end == .timeOver && left.all.isEmpty)
        // The first ones are owed as well; those that had run out are not.
        try await signOut(issuer).settle()
        #expect(revoked.withLock { Set($0) } == (isGranted ? ["r1", "r2", "a2"] : ["r1"]))
    }

    /// A new login counts the same time anew, and brings all back.
    @Test func aLoginAfterIt() async throws {
        struct Attempt: AuthorizationAttempt {
            let page: WebAddress
            func judge(_ address: String) -> RedirectJudgement { .code(MemorySecret("code")) }
            func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
                TokenKeeperTests.grant(2)
            }
            func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? { nil }
        }
        let fern = try add("fern", until: .after(seconds: 100))
        time.pass(150)
        _ = try signOut(issuer()).endDue(by: clock)
        var issuer = issuer()
        issuer.onDiscover = { () async throws(IssuerError) in DiscoveredIssuer(fern.issuer) }
        issuer.onAuthorize = { _, _ async throws(IssuerError) in Attempt(page: fern.issuer.tokenEndpoint) }
        var wish = LoginWish(.session(fern))
        wish.client = .init(id: BankText("c"))
        func logIn(_ wish: LoginWish) async throws {
            let login = Login(wish, service: issuer, store: store, clock: time.clock, makeID: { "1" })
            _ = try await login.begin()
            _ = try await login.accept(redirectURI: "http://127.0.0.1/callback")
            _ = try await login.take("x")
        }
        try await logIn(wish)
        let again = try #require(try store.sessions().first)
        #expect(clock.end(of: again, at: Moment(time.clock)) == time.clock.now() + 100)
        #expect(text(try await keeper(issuer).token(of: again, lasting: 0).token.secret) == "a2")
        wish.keep = true
        try await logIn(wish)
        #expect(try store.sessions().first?.isKept == true)
        #expect(try store.sessions().first.flatMap { clock.end(of: $0, at: Moment(time.clock)) } == nil)
    }
}
