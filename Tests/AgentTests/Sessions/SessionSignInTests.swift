@testable import Agent
import Basics
import Foundation
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Testing

/// Sessions that ended, and that the desktop asks to sign in to again.
@Suite(.timeLimit(.minutes(5))) struct SessionSignInTests {
    private let issuer = MemoryIssuer()

    /// An open agent with the session `oak`, which a program may use at any time.
    private func opened(lifetime: Int64? = 200, renewedBy refreshToken: String? = "r-oak") async throws -> AgentFixture
    {
        let fixture = try await AgentFixture(issuer: issuer)
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession(MemoryIssuer.address, token: "t-oak", lifetime: lifetime, renewedBy: refreshToken)
        _ = try fixture.sessions.allow(
            GrantOptions(
                try #require(Program("unit:backup.service")), try #require(SessionName("oak")), scopes: nil,
                resources: [], try AllowOptions(.unlocked)))
        issuer.state.withLock { $0.renewal = .rejected(Rejection(.grant, status: 400)) }
        return try await fixture.unlock()
    }

    private static let told = "+ " + MemoryIssuer.address
    private static let takenBack = "- " + MemoryIssuer.address

    private func failureOfToken(
        _ fixture: AgentFixture, of name: String = "oak", for caller: CallerContext = SessionWingTests.backup
    ) async -> Failure? {
        await failure {
            let request = TokenRequest(target: name, try TokenTerms())
            _ = try await fixture.agent.sessions.token(request, for: fixture.known(caller))
        }
    }

    private func end(_ fixture: AgentFixture, _ reason: EndReason) throws {
        let store = try fixture.sessions.store
        let session = try fixture.sessions.lookup().session("oak")
        try store.write(try #require(try store.tokens(of: session.id)).ended(reason), of: session.id)
    }

    /// Waits until the work of signing out is done.
    private func settled(_ fixture: AgentFixture) async {
        while let work = await fixture.agent.sessions.revocations.underWay { await work.value }
    }

    /// A login at the desktop ends with a lock, too: its port and its button are free again.
    @Test func aLockEndsTheDesktopsLogin() async throws {
        let fixture = try await opened()
        let (sessions, caller) = (fixture.agent.sessions, CallerContext.notification)
        let login = try await sessions.beginLogin(LoginRequest(.session("oak")), for: caller)
        let loss = Task { try await sessions.steps(of: login, for: caller).awaitLoss() }
        try await Task.sleep(for: .milliseconds(50))
        await fixture.agent.core.screenLocked()
        #expect(await failure { try await loss.value }?.kind == .locked)
    }

    // MARK: What is told

    @Test func itIsToldOnceAnHourForEachSession() async throws {
        let fixture = try await opened()
        try fixture.addSession("https://fern.example", token: "t-fern", lifetime: 200)
        #expect(await failureOfToken(fixture) == nil)
        #expect(fixture.signIns.count == 0)
        fixture.clock.pass(.seconds(250))
        for caller in [SessionWingTests.backup, AgentFixture.person, SessionWingTests.backup] {
            #expect(await failureOfToken(fixture, for: caller)?.kind == .signedOut)
        }
        #expect(fixture.signIns.all == [Self.told])
        #expect(await failureOfToken(fixture, of: "fern", for: AgentFixture.person)?.kind == .signedOut)
        #expect(fixture.signIns.all == [Self.told, "+ https://fern.example"])
        fixture.clock.pass(SignInReminders.pause - .seconds(1))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.count == 2)
        fixture.clock.pass(.seconds(1))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.all.last == Self.told && fixture.signIns.count == 3)
    }

    @Test func itIsToldBehindTheLockedScreen() async throws {
        let fixture = try await opened()
        await fixture.agent.core.screenLocked()
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.all == [Self.told])
    }

    @Test func aStrangerDoesNotMakeItTold() async throws {
        let fixture = try await opened()
        fixture.programs.set(PeerProgram(.unit, "other.service"), of: "front-end")
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture, for: AgentFixture.frontEnd)?.kind == .locked)
        #expect(fixture.signIns.count == 0)
    }

    @Test(arguments: [
        (EndReason.rejected, true), (.interrupted, true), (.changed, true), (.signedOut, false), (.timeOver, true),
        (.left, true),
    ]) func whatIsTold(_ reason: EndReason, _ isTold: Bool) async throws {
        let fixture = try await opened()
        try end(fixture, reason)
        fixture.clock.pass(.seconds(250))
        await settled(fixture)
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.all == (isTold ? [Self.told] : []))
    }

    @Test(arguments: [
        (TokenAnswer.rejected(Rejection(.needsPerson, status: 400)), true),
        (.rejected(Rejection(.scope, status: 400)), false), (.notSent(reason: "no network"), false),
        (.later(reason: "busy", retryAfter: nil), false),
    ]) func aSessionThatIsStillThere(_ answer: TokenAnswer, _ isTold: Bool) async throws {
        let fixture = try await opened()
        issuer.state.withLock { $0.renewal = answer }
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture) != nil)
        #expect(fixture.signIns.all == (isTold ? [Self.told] : []))
        // Only a login takes it back.
        fixture.clock.pass(SignOutWatch.interval)
        _ = try await fixture.state
        #expect(fixture.signIns.all == (isTold ? [Self.told] : []))
    }

    /// The note that says so is enough for an hour.
    @Test func whatWasSignedOutInTimeIsToldByItsOwnNote() async throws {
        let fixture = try await opened(lifetime: nil, renewedBy: nil)
        _ = try await fixture.agent.sessions.setSignOut(
            of: "oak", SignOutChange(until: SignOutRule("30m"), keep: nil), pin: nil, from: .person,
            for: AgentFixture.person)
        fixture.clock.pass(.seconds(1800))
        // Asked for before anybody looked.
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        await settled(fixture)
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.count == 0 && fixture.signedOut.count == 1)
        fixture.clock.pass(SignInReminders.pause)
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        #expect(fixture.signIns.all == [Self.told] && fixture.signedOut.count == 1)
    }

    @Test(arguments: [true, false]) func theNoteIsTakenBack(_ isLogin: Bool) async throws {
        let fixture = try await opened()
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        if isLogin {
            let request = LoginRequest(.session("oak"))
            let id = try await fixture.agent.sessions.beginLogin(request, for: AgentFixture.person).id
            let back = "http://127.0.0.1:4000/callback"
            _ = try await fixture.agent.sessions.acceptLogin(
                id, LoginAcceptance(.browser(returnURL: back)), for: AgentFixture.person)
            _ = try await fixture.agent.sessions.redirectLogin(id, back + "?ok", for: AgentFixture.person)
        } else {
            // Another process signed out.
            let sessions = try fixture.sessions
            _ = try await sessions.signOut.signOut(try sessions.lookup().session("oak"), localOnly: true)
            fixture.clock.pass(SignOutWatch.interval)
            _ = try await fixture.state
        }
        #expect(fixture.signIns.all == [Self.told, Self.takenBack])
    }

    // MARK: The button

    @Test(arguments: [nil, AgentFixture.Lock.screen, .command]) func theButtonSignsInAgain(
        _ lock: AgentFixture.Lock?
    ) async throws {
        let fixture = try await opened()
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        if let lock { try await fixture.lock(by: lock) }
        fixture.screen.script((lock == nil ? [] : [.typed(MemoryGate.pin)]) + [.yes])
        try await fixture.agent.sessions.signInAgain(MemoryIssuer.address)
        #expect(fixture.screen.kinds == (lock == nil ? [] : [.pin]) + [.yesOrNo])
        let shown = try #require(fixture.screen.asked.all.last).text
        for words in ["Session: oak", "Account: mira", "Issuer: oak.example", "mail openid"] {
            #expect(shown.contains(words), "\(words)")
        }
        #expect(fixture.signIns.all == [Self.told, Self.takenBack])
        #expect(await failureOfToken(fixture) == nil)
        #expect(try fixture.sessions.store.sessions().count == 1)
    }

    @Test func whoSaysNoIsNotSignedIn() async throws {
        let fixture = try await opened()
        fixture.clock.pass(.seconds(250))
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        fixture.screen.answers(.no)
        let refused = await failure { try await fixture.agent.sessions.signInAgain(MemoryIssuer.address) }
        #expect(refused?.kind == .cancelled)
        #expect(fixture.signIns.all == [Self.told])
        #expect(await fixture.agent.sessions.logins.count == 0)
        #expect(await failureOfToken(fixture)?.kind == .signedOut)
        // It can be pressed again.
        fixture.screen.answers(.yes)
        try await fixture.agent.sessions.signInAgain(MemoryIssuer.address)
        #expect(await failureOfToken(fixture) == nil)
    }

    @Test func nobodySignsInToWhatIsGone() async throws {
        let fixture = try await opened()
        try await fixture.agent.sessions.signInAgain("no session")
        #expect(fixture.signIns.all == ["- no session"] && fixture.screen.asked.count == 0)
    }

    @Test func aSecondPressDoesNothing() async throws {
        let fixture = try await opened()
        fixture.screen.answers(.none)
        let first = Task { await failure { try await fixture.agent.sessions.signInAgain(MemoryIssuer.address) } }
        await fixture.screen.asked.until(count: 1)
        let second = await failure { try await fixture.agent.sessions.signInAgain(MemoryIssuer.address) }
        #expect(second?.kind == .cancelled && fixture.screen.asked.count == 1)
        // A lock takes the question off the screen.
        await fixture.agent.core.screenLocked()
        #expect(await first.value?.kind == .cancelled)
    }
}
