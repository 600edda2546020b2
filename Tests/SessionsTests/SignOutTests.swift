import Basics
import FoundationEssentials
import Keys
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// What a logout ends besides tokens: registrations, and the browser's own session.
final class SignOutTests: Sendable {
    private let time = TokenKeeperTests.Time()
    private let store = MemorySessions()
    private let calls = Mutex<[String]>([])

    private func add(
        _ name: String, client: String = "c", issuer: String = "https://fern.example", isManaged: Bool = true,
        idToken: String? = nil
    ) throws -> SignIn {
        let issuer = try #require(Issuer(issuer))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.endSessionEndpoint = try WebAddress("\(issuer.text)/end?x=1")
        metadata.registrationEndpoint = issuer.address
        var registration = ClientRegistration(
            id: BankText(client), redirectURI: "http://127.0.0.1/callback", isRegisteredHere: true)
        if isManaged {
            registration.management = .init(address: issuer.address, token: SecretSlot(MemorySecret("m")))
        }
        let session = SignIn(
            id: SessionID(name), name: try #require(SessionName(name)), issuer: metadata, client: registration,
            asked: .none, granted: .none, resources: [], identity: nil, at: Date())
        let grant = TokenGrant(
            accessToken: MemorySecret("a1"), type: .bearer, lifetime: 300, refreshToken: MemorySecret("r1"),
            idToken: idToken.map { MemorySecret($0) })
        return try store.add(session, with: TokenSet(grant, scopes: .none, at: Moment(time.clock)))
    }

    /// `isDown`: whether no call succeeds.
    private func issuer(isDown: @escaping @Sendable () -> Bool = { false }) -> ScriptedIssuer {
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { token, _ async throws(IssuerError) in
            if isDown() { throw .unreachable(reason: "down") }
            self.calls.withLock { $0.append("revoke \(token)") }
        }
        issuer.onUnregister = { client async throws(IssuerError) in
            if isDown() { throw .unreachable(reason: "down") }
            self.calls.withLock { $0.append("unregister \(client.id.untrusted)") }
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

    private var done: [String] { calls.withLock { $0 } }

    @Test func theLastSessionOfARegistrationDeletesIt() async throws {
        let (fern, oak) = (try add("fern"), try add("oak"))
        let signOut = signOut(issuer())
        _ = try await signOut.signOut(fern)
        #expect(done == ["revoke r1", "revoke a1"])
        _ = try await signOut.signOut(oak)
        #expect(done == ["revoke r1", "revoke a1", "revoke r1", "revoke a1", "unregister c"])
    }

    /// Another client, another issuer, no way to delete it, or nobody is to be told.
    @Test func whoseRegistrationStays() async throws {
        _ = try add("elm", client: "d")
        _ = try add("oak", issuer: "https://oak.example")
        let signOut = signOut(issuer())
        _ = try await signOut.signOut(try add("ash", isManaged: false))
        _ = try await signOut.signOut(try add("fern"), localOnly: true)
        #expect(done.allSatisfy { !$0.hasPrefix("unregister") })
        _ = try await signOut.signOut(try add("birch"))
        #expect(done.last == "unregister c")
    }

    /// An issuer that cannot be reached is told later: of its tokens first, which only the client can end.
    @Test func aRegistrationIsOwedWithItsTokens() async throws {
        let isDown = Mutex(true)
        let fern = try add("fern")
        let signOut = signOut(issuer { isDown.withLock { $0 } })
        #expect(try await signOut.signOut(fern).isOwed)
        #expect(try store.owed().map(\.kind) == [.refresh, .access, .registration])
        store.state.withLock { $0.owed.reverse() }
        isDown.withLock { $0 = false }
        try await signOut.settle()
        #expect(done == ["revoke a1", "revoke r1", "unregister c"])
        #expect(try store.owed().isEmpty)
    }

    /// Tokens of another session of the client that could not be ended yet.
    @Test func aRegistrationStaysWhileItsTokensAreOwed() async throws {
        let isDown = Mutex(true)
        let (fern, oak) = (try add("fern"), try add("oak"))
        let signOut = signOut(issuer { isDown.withLock { $0 } })
        _ = try await signOut.signOut(oak)
        isDown.withLock { $0 = false }
        _ = try await signOut.signOut(fern)
        #expect(done == ["revoke r1", "revoke a1"])
        #expect(try store.owed().last?.kind == .registration)
        try await signOut.settle()
        #expect(done.last == "unregister c" && done.count == 5)
    }

    @Test func aRegistrationThatIsUsedAgainIsNotOwed() async throws {
        let isDown = Mutex(true)
        let signOut = signOut(issuer { isDown.withLock { $0 } })
        _ = try await signOut.signOut(try add("fern"))
        isDown.withLock { $0 = false }
        _ = try add("oak")
        try await signOut.settle()
        #expect(try store.owed().isEmpty && !done.contains("unregister c"))
    }

    /// What stands in the addresses of the page: no ID token that somebody could still use.
    @Test(arguments: [(-301.0, true), (-299, false), (600, false), (nil, false)] as [(Double?, Bool)])
    func theAddressOfThePage(_ row: (expiresIn: Double?, isNamed: Bool)) async throws {
        let idToken = row.expiresIn.map { seconds in
            let claims = #"{"exp":\#(time.clock.now().timeIntervalSince1970 + seconds)}"#
            return "e30.\(Data(claims.utf8).base64EncodedString()).s"
        }
        let session = try add("fern", client: "c d", idToken: idToken)
        let page = try #require(try await signOut(issuer()).signOut(session, localOnly: true).page)
        #expect(page.bare.text == "https://fern.example/end?x=1&client_id=c%20d")
        let hint =
            row.isNamed ? idToken.map { page.bare.text + "&id_token_hint=" + $0.replacing("=", with: "%3D") } : nil
        #expect(page.whole?.text == hint)
    }

    /// A logout that waited for a login ends what that brought, as its client.
    @Test func aLoginMeanwhile() async throws {
        var session = try add("fern")
        session.client.id = BankText("d")
        try store.replace(session, with: try #require(try store.tokens(of: session.id)), noting: nil)
        session.client.id = BankText("c")
        _ = try await signOut(issuer()).signOut(session)
        #expect(done.contains("unregister d"))
    }

    /// One for each issuer; and none where a session stays, unless that is wished.
    @Test func whichPagesAreOpened() async throws {
        let signOut = signOut(issuer())
        var ended: [EndedSessionPayload.Content] = []
        for (name, issuer) in [
            ("a", "https://fern.example"), ("b", "https://fern.example"), ("c", "https://oak.example"),
            ("e", "https://elm.example"),
        ] {
            let session = try add(name, issuer: issuer)
            let outcome = try await signOut.signOut(session, localOnly: true)
            ended.append(EndedSessionPayload(outcome, of: session.issuer.issuer, withPage: name != "e").signedOut)
        }
        func names(_ staying: [SignIn], _ isWished: Bool) -> [String] {
            let staying = staying.map { SessionPayload($0, nil, by: .never, at: Moment(time.clock)) }
            return EndedSessionPayload.pages(of: ended, staying: staying, isWished: isWished).map(\.name)
        }
        #expect(names([], false) == ["a", "c"])
        let stays = try add("d")
        #expect(names([stays], false) == ["c"] && names([stays], true) == ["a", "c"])
    }

    // MARK: Registrations of logins

    private struct Attempt: AuthorizationAttempt {
        let page: WebAddress
        let outcome: Result<TokenGrant, IssuerError>
        var person: String?
        func judge(_ address: String) -> RedirectJudgement { .code(MemorySecret("code")) }
        func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
            try outcome.get()
        }
        func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? {
            person.map { Identity(subject: BankText($0)) }
        }
    }

    private func answering(
        _ outcome: Result<TokenGrant, IssuerError>, at metadata: IssuerMetadata, of person: String? = nil,
        deletes: Bool = true
    ) -> ScriptedIssuer {
        var issuer = issuer()
        issuer.onDiscover = { () async throws(IssuerError) in DiscoveredIssuer(metadata) }
        issuer.onAuthorize = { _, _ async throws(IssuerError) in
            Attempt(page: metadata.authorizationEndpoint, outcome: outcome, person: person)
        }
        issuer.onRegister = { _ async throws(IssuerError) in
            self.calls.withLock { $0.append("register") }
            return ClientRegistration(
                id: BankText("new"), redirectURI: "http://127.0.0.1/callback", isRegisteredHere: true,
                management: deletes
                    ? .init(address: metadata.issuer.address, token: SecretSlot(MemorySecret("t"))) : nil)
        }
        return issuer
    }

    private func run(_ issuer: ScriptedIssuer, offers: String?) async throws {
        let login = Login(
            LoginWish(.address(try WebAddress("https://fern.example"))), service: issuer, store: store,
            clock: time.clock, makeID: { "1" })
        #expect(try await login.begin().client?.untrusted == offers)
        _ = try await login.accept(redirectURI: "http://127.0.0.1/callback")
        await #expect(throws: SessionError.self) { _ = try await login.take("x") }
        await login.abandon()
    }

    /// An issuer that forgot a registration says so when the code is exchanged: the next login registers anew. Another no tells nothing of it.
    @Test func aForgottenRegistrationIsDropped() async throws {
        let fern = try add("fern")
        let grant = answering(.failure(.refused(Rejection(.grant))), at: fern.issuer)
        try await run(grant, offers: "c")
        try await run(answering(.failure(.refused(Rejection(.client))), at: fern.issuer), offers: "c")
        // The second one registered, and what a failed login registered is deleted again.
        try await run(grant, offers: nil)
        #expect(done == ["register", "unregister new"])
        #expect(try store.tokens(of: fern.id)?.isClientInDoubt == true)
    }

    /// What a failed login registered and cannot be deleted is taken by the next one of the same day.
    @Test(arguments: [true, false]) func aRegistrationIsKeptForTheNextLogin(_ deletes: Bool) async throws {
        let metadata = try add("fern").issuer
        try store.remove(SessionID("fern"), owing: [], noting: nil)
        var service = answering(.failure(.refused(Rejection(.grant))), at: metadata, deletes: deletes)
        service.onUnregister = { _ async throws(IssuerError) in throw .unreachable(reason: "down") }
        try await run(service, offers: nil)
        try await run(service, offers: "new")
        try await run(service, offers: "new")
        #expect(done == ["register"])
        #expect(try store.owed().map(\.kind) == [.unused])
        // Nobody is told yet; after a day the issuer deletes it, if it can.
        try await signOut(issuer()).settle()
        #expect(done == ["register"])
        #expect(try store.owed().count == 1)
        time.pass(86500)
        try await signOut(issuer()).settle()
        #expect(try store.owed().isEmpty && done == ["register", "unregister new"])
        try await run(service, offers: nil)
    }

    /// A login that is given up after its session was stored takes nothing from that.
    @Test func aRegistrationStaysWithItsSession() async throws {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.registrationEndpoint = issuer.address
        metadata.userInfoEndpoint = issuer.address
        var service = answering(.success(TokenKeeperTests.grant(1)), at: metadata, of: "mira")
        let given = Mutex<Login?>(nil)
        service.onUserInfo = { _ async throws(IssuerError) in
            await given.withLock { $0 }?.abandon()
            throw IssuerError.unreachable(reason: "down")
        }
        let login = Login(
            LoginWish(.address(issuer.address)), service: service, store: store, clock: time.clock, makeID: { "1" })
        given.withLock { $0 = login }
        _ = try await login.begin()
        _ = try await login.accept(redirectURI: "http://127.0.0.1/callback")
        guard case .signedIn = try await login.take("x") else {
            Issue.record("no session")
            return
        }
        await login.abandon()
        #expect(done == ["register"])
        #expect(try store.sessions().map(\.client.id.untrusted) == ["new"])
    }

    /// Without its permit a login stores nothing, and what it was given is ended.
    @Test(arguments: [true, false]) func aLoginWithoutItsPermit(_ isAgain: Bool) async throws {
        let fern = try add("fern")
        let permit = LoginPermit()
        let login = Login(
            LoginWish(isAgain ? .session(fern) : .address(fern.issuer.issuer.address)),
            service: answering(.success(TokenKeeperTests.grant(2)), at: fern.issuer), store: store, clock: time.clock,
            permit: permit, makeID: { "1" })
        _ = try await login.begin()
        _ = try await login.accept(redirectURI: "http://127.0.0.1/callback")
        permit.withdraw()
        let error = await #expect(throws: SessionError.self) { _ = try await login.take("x") }
        #expect(error?.failure.kind == .locked)
        #expect(done == ["revoke r2", "revoke a2"])
        #expect(try store.tokens(of: fern.id).map { text($0.refreshToken!.secret) } == "r1")
        #expect(try store.sessions().count == 1)
    }

    /// A session that is signed in to again keeps its registration; one that takes its place ends it.
    @Test(arguments: [
        ("http://127.0.0.1/callback", ["revoke r1"]),
        ("http://127.0.0.1:2/callback", ["register", "revoke r1", "unregister c"]),
    ])
    func aLoginAgain(_ row: (redirectURI: String, done: [String])) async throws {
        let fern = try add("fern")
        let issuer = answering(.success(TokenKeeperTests.grant(2)), at: fern.issuer)
        let login = Login(
            LoginWish(.session(fern)), service: issuer, store: store, clock: time.clock, makeID: { "1" })
        _ = try await login.begin()
        _ = try await login.accept(redirectURI: row.redirectURI)
        guard case .signedIn = try await login.take("x") else {
            Issue.record("no session")
            return
        }
        #expect(done == row.done)
        #expect(try store.sessions().map(\.client.id.untrusted) == [row.done.count == 1 ? "c" : "new"])
    }
}
