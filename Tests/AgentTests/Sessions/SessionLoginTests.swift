@testable import Agent
import Basics
import Foundation
import SessionModel
import Sessions
import Synchronization
import Testing

/// Logins that an agent carries out: what ends them, and that nothing is left of one that ended.
@Suite(.timeLimit(.minutes(5))) struct SessionLoginTests {
    private static let returnURL = "http://127.0.0.1:4000/callback"
    private static let person = AgentFixture.person

    private let issuer = MemoryIssuer()

    private func opened() async throws -> AgentFixture { try await AgentFixture(issuer: issuer).unlock() }

    private func request(_ name: String? = nil) -> LoginRequest {
        var request = LoginRequest(.target("oak.example"))
        request.name = name.flatMap(SessionName.init)
        return request
    }

    /// Begins a login, until the person is on the issuer's page. Returns its id.
    private func begun(_ fixture: AgentFixture, by caller: CallerContext = person) async throws -> String {
        let id = try await fixture.agent.sessions.beginLogin(request(), for: caller).id
        let next = try await fixture.agent.sessions.acceptLogin(
            id, LoginAcceptance(.browser(returnURL: Self.returnURL)), for: caller)
        #expect(next == LoginNext(page: try WebAddress(MemoryIssuer.page)))
        return id
    }

    private func take(
        _ id: String, _ fixture: AgentFixture, _ query: String = "?ok", by caller: CallerContext = person
    ) async throws -> SignedInPayload? {
        try await fixture.agent.sessions.redirectLogin(id, Self.returnURL + query, for: caller).signedIn
    }

    private func names(_ fixture: AgentFixture) throws -> [String] {
        try fixture.sessions.store.sessions().map(\.name.text)
    }

    private func expectNothingLeft(_ fixture: AgentFixture) async throws {
        #expect(await issuer.calls.until { $0.contains("unregister") ? $0.count { $0 == "register" } : nil } == 1)
        #expect(try names(fixture).isEmpty)
        #expect(try fixture.sessions.store.owed().isEmpty)
        #expect(await fixture.agent.sessions.logins.count == 0)
    }

    @Test func aLoginMakesASession() async throws {
        let fixture = try await opened()
        let opened = try await fixture.agent.sessions.beginLogin(request("elm"), for: Self.person)
        let offer = opened.offer
        #expect(offer.issuer == MemoryIssuer.address && offer.hosts.page == "oak.example" && offer.client == nil)
        #expect(offer.session == nil && offer.mayMove && offer.redirectUri == nil && issuer.calls.count == 0)
        _ = try await fixture.agent.sessions.acceptLogin(
            opened.id, LoginAcceptance(.browser(returnURL: Self.returnURL)), for: Self.person)
        // Any page can send an address.
        #expect(try await take(opened.id, fixture, "?other") == nil)
        let signedIn = try #require(try await take(opened.id, fixture))
        #expect(signedIn.session.name == "elm" && signedIn.session.account == "mira" && signedIn.notice == nil)
        #expect(try names(fixture) == ["elm"])
        #expect(await fixture.agent.sessions.logins.count == 0)
        #expect(await failure { _ = try await take(opened.id, fixture) }?.kind == .cancelled)
        #expect(issuer.calls.all == ["register"])
    }

    @Test func aNoEndsTheLogin() async throws {
        let fixture = try await opened()
        let id = try await begun(fixture)
        #expect(await failure { _ = try await take(id, fixture, "?denied") }?.kind == .refused)
        #expect(await failure { _ = try await take(id, fixture) }?.kind == .cancelled)
        try await expectNothingLeft(fixture)
    }

    @Test func anotherAccountIsRefused() async throws {
        let fixture = try await opened()
        _ = try await take(try await begun(fixture), fixture)
        issuer.state.withLock { $0.subject = "ole" }
        let again = try await fixture.agent.sessions.beginLogin(LoginRequest(.session("oak")), for: Self.person)
        #expect(again.offer.session == "oak" && again.offer.client == "c")
        _ = try await fixture.agent.sessions.acceptLogin(
            again.id, LoginAcceptance(.browser(returnURL: Self.returnURL)), for: Self.person)
        #expect(await failure { _ = try await take(again.id, fixture) }?.kind == .changed)
        #expect(try fixture.sessions.store.sessions().map(\.identity?.subject) == [BankText("mira")])
        #expect(issuer.calls.all == ["register", "revoke r", "revoke a"])
    }

    // MARK: How long

    /// Nobody is asked for the PIN again because the issuer's page took long.
    @Test func aPersonAtThePageKeepsSessionsAtHand() async throws {
        let fixture = try await opened()
        let id = try await begun(fixture)
        for _ in 1...3 {
            fixture.clock.pass(.seconds(3000))
            #expect(try await fixture.agent.handshake().sessions == .atHand)
        }
        // Banks' content is hidden all the same.
        #expect(try await fixture.state == .hidden)
        #expect(try await take(id, fixture)?.session.name == "oak")
        // The end of the login was use, too.
        fixture.clock.pass(.seconds(3599))
        #expect(try await fixture.agent.handshake().sessions == .atHand)
        fixture.clock.pass(.seconds(1))
        #expect(try await fixture.agent.handshake().sessions == .shut)
    }

    @Test func aScriptDoesNotKeepSessionsAtHand() async throws {
        let fixture = try await opened()
        let id = try await begun(fixture, by: AgentFixture.script)
        fixture.clock.pass(.seconds(3600))
        #expect(try await fixture.agent.handshake().sessions == .shut)
        #expect(await failure { _ = try await take(id, fixture, by: AgentFixture.script) }?.kind == .locked)
        try await expectNothingLeft(fixture)
    }

    @Test func aLoginEndsAfterTheLongestTime() async throws {
        let fixture = try await opened()
        _ = try await begun(fixture)
        fixture.clock.pass(.seconds(12 * 3600))
        #expect(try await fixture.state == .shut)
        try await expectNothingLeft(fixture)
    }

    @Test(arguments: AgentFixture.Lock.allCases) func aLockEndsTheLogin(_ lock: AgentFixture.Lock) async throws {
        let fixture = try await opened()
        let id = try await begun(fixture)
        try await fixture.lock(by: lock)
        guard lock != .time else {
            #expect(try await take(id, fixture)?.session.name == "oak")
            return
        }
        #expect(await failure { _ = try await take(id, fixture) }?.kind == .locked)
        try await fixture.unlock()
        #expect(await failure { _ = try await take(id, fixture) }?.kind == .cancelled)
        try await expectNothingLeft(fixture)
    }

    /// In each of its steps.
    @Test(arguments: ["discovering", "registering", "exchanging"]) func aLockEndsAStepUnderWay(_ step: String)
        async throws
    {
        let fixture = try await opened()
        let core = fixture.agent.core
        let lock: @Sendable () async -> Void = { await core.leaving() }
        issuer.state.withLock { state in
            switch step {
            case "discovering": state.whileDiscovering = lock
            case "registering": state.whileRegistering = lock
            default: state.whileExchanging = lock
            }
        }
        let told = await failure { _ = try await take(try await begun(fixture), fixture) }
        #expect(told?.kind == (step == "registering" ? .cancelled : .locked))
        guard step != "discovering" else {
            #expect(issuer.calls.count == 0)
            #expect(try names(fixture).isEmpty)
            return
        }
        try await expectNothingLeft(fixture)
        #expect(issuer.calls.all.contains("revoke r") == (step == "exchanging"))
    }

    @Test func itEndsWhenItIsGivenUp() async throws {
        let fixture = try await opened()
        let id = try await begun(fixture)
        await fixture.agent.sessions.endLogin("another")
        await fixture.agent.sessions.endLogin(id)
        try await expectNothingLeft(fixture)
        #expect(await failure { _ = try await take(id, fixture) }?.kind == .cancelled)
        await fixture.agent.sessions.endLogin(id)
    }

    @Test func onlyAFewWaitAtOnce() async throws {
        let fixture = try await opened()
        var ids: [String] = []
        for _ in 1...4 { ids.append(try await begun(fixture)) }
        #expect(await failure { _ = try await begun(fixture) }?.kind == .refused)
        await fixture.agent.sessions.endLogin(ids[2])
        _ = try await begun(fixture)
        #expect(await fixture.agent.sessions.logins.count == 4)
    }

    @Test(arguments: ["oak", "-", "https://a b"]) func aRequestThatCannotBeCarriedOutLeavesNothing(_ target: String)
        async throws
    {
        let fixture = try await opened()
        let told = await failure {
            _ = try await fixture.agent.sessions.beginLogin(LoginRequest(.target(target)), for: Self.person)
        }
        #expect(told?.kind == (target == "oak" ? .notFound : .usage))
        let profile = await failure {
            _ = try await fixture.agent.sessions.beginLogin(LoginRequest(.profile("x = 1")), for: Self.person)
        }
        #expect(profile?.kind == .usage)
        #expect(await fixture.agent.sessions.logins.count == 0)
    }

    @Test func noLoginBeginsWhileNotAtHand() async throws {
        let fixture = try await AgentFixture(issuer: issuer)
        #expect(
            await failure { _ = try await fixture.agent.sessions.beginLogin(request(), for: Self.person) }?.kind
                == .locked)
    }

    // MARK: Codes of devices

    private func showingCode(_ fixture: AgentFixture, seconds: Double = 600) async throws -> String {
        var request = request()
        request.isForDevice = true
        let id = try await fixture.agent.sessions.beginLogin(request, for: Self.person).id
        let next = try await fixture.agent.sessions.acceptLogin(
            id, LoginAcceptance(.device(seconds: seconds)), for: Self.person)
        #expect(next.page == nil && next.device?.userCode == "ABCD" && next.device?.expiresIn == 600)
        return id
    }

    private func verdict(_ id: String, _ fixture: AgentFixture, wait: Int64 = 0) async throws -> SignedInPayload? {
        try await fixture.agent.sessions.login(id, LoginWait(seconds: wait), for: Self.person).signedIn
    }

    /// Waits for the end of a login while time passes.
    private func awaitEnd(_ id: String, _ fixture: AgentFixture) async throws -> SignedInPayload? {
        let isOver = Mutex(false)
        async let end = {
            defer { isOver.withLock { $0 = true } }
            return try await verdict(id, fixture, wait: 25)
        }()
        while !isOver.withLock({ $0 }) {
            fixture.clock.pass(.seconds(1))
            try await Task.sleep(for: .milliseconds(2))
        }
        return try await end
    }

    @Test func aCodeThatIsEntered() async throws {
        let fixture = try await opened()
        let id = try await showingCode(fixture)
        let first = try await verdict(id, fixture)
        #expect(first == nil)
        #expect(try await awaitEnd(id, fixture) == nil, "the wait is over, the login is not")
        issuer.enterCode()
        #expect(try await awaitEnd(id, fixture)?.session.account == "mira")
        #expect(try names(fixture) == ["oak"])
        #expect(await failure { _ = try await verdict(id, fixture) }?.kind == .cancelled)
        #expect(issuer.calls.all == ["register"])
    }

    @Test(arguments: [("expired", 600.0), ("denied", 600), ("late", 8)])
    func aCodeThatIsNotEntered(_ row: (answer: String, seconds: Double)) async throws {
        let fixture = try await opened()
        issuer.state.withLock { state in
            switch row.answer {
            case "expired": state.answer = .expired
            case "denied": state.answer = .rejected(Rejection(.denied))
            default: break
            }
        }
        let id = try await showingCode(fixture, seconds: row.seconds)
        let told = await failure { _ = try await awaitEnd(id, fixture) }
        #expect(told?.kind == (row.answer == "denied" ? .refused : .cancelled))
        if row.answer == "late" { #expect(told?.message == SessionError.waitOver.failure.message) }
        try await expectNothingLeft(fixture)
    }

    @Test func aLockEndsTheWaitForACode() async throws {
        let fixture = try await opened()
        let id = try await showingCode(fixture)
        let waiting = Task { await failure { _ = try await verdict(id, fixture, wait: 25) } }
        while await !fixture.agent.sessions.logins.isAwaited(id) { try await Task.sleep(for: .milliseconds(1)) }
        await fixture.agent.core.screenLocked()
        #expect(await waiting.value?.kind == .locked)
        issuer.enterCode()
        fixture.clock.pass(.seconds(10))
        try await expectNothingLeft(fixture)
    }
}
