@testable import Agent
import Basics
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Synchronization
import Testing

/// What a person who is away for long, a locked screen and a machine that slept mean for programs.
@Suite(.timeLimit(.minutes(5))) struct HandOutTableTests {
    private static let backup = SessionWingTests.backup

    /// An open agent with the session `fern`, whose token lasts for ten minutes and is renewed as `t-new`; the program may use it so.
    private func opened(_ use: ProgramGrant.Use, _ issuer: MemoryIssuer = MemoryIssuer()) async throws -> AgentFixture {
        let fixture = try await AgentFixture(issuer: issuer)
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-old", lifetime: 600, renewedBy: "r")
        let secrets = [try MemoryGate.secret("t-new"), try MemoryGate.secret("r-new")]
        issuer.state.withLock {
            $0.renewal = .granted(
                TokenGrant(accessToken: secrets[0], type: .bearer, lifetime: 86400, refreshToken: secrets[1]))
        }
        let program = try #require(Program("unit:backup.service"))
        _ = try fixture.sessions.allow(
            GrantOptions(
                program, try #require(SessionName("fern")), scopes: nil, resources: [], try AllowOptions(use)))
        return try await fixture.unlock()
    }

    private func token(
        _ fixture: AgentFixture, for caller: CallerContext = backup, wait: Int64 = 60
    ) async throws -> String {
        let request = TokenRequest(target: "fern", try TokenTerms(wait: wait))
        return try await fixture.agent.sessions.token(request, for: fixture.known(caller)).token.value
    }

    /// Away for an hour is as the screen locked: what may be handed out is also renewed, and nobody is asked.
    @Test(arguments: [false, true], ProgramGrant.Use.allCases)
    func nobodyIsThere(_ isScreenLocked: Bool, _ use: ProgramGrant.Use) async throws {
        let fixture = try await opened(use)
        fixture.screen.answers(.typed(MemoryGate.pin))
        if isScreenLocked { await fixture.agent.core.screenLocked() }
        fixture.clock.pass(AgentFixture.idle)
        if use == .unlocked {
            #expect(try await token(fixture) == "t-new")
        } else {
            #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
        }
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person) }?.kind == .locked)
        #expect(fixture.screen.kinds == [] && fixture.asked.count == 0)
        #expect(try await fixture.agent.handshake().sessions == (use == .unlocked ? .asleep : .shut))
    }

    /// A grant that takes the PIN each time needs a window for it.
    @Test func withoutADesktopThatIsSaid() async throws {
        let fixture = try await opened(.asked)
        fixture.screen.isThere.withLock { $0 = false }
        let told = await failure { _ = try await token(fixture) }
        #expect(told?.kind == .locked && told?.message.contains("no desktop to ask for it") == true)
    }

    /// Whoever approves payments is there.
    @Test func useOfTheAgentForBanksKeepsSessionsAtHand() async throws {
        let fixture = try await opened(.open)
        for _ in 0..<30 {
            fixture.clock.pass(.seconds(240))
            _ = try await fixture.agent.approvals.localOperations(for: AgentFixture.person)
        }
        #expect(try await token(fixture) == "t-new")
        fixture.clock.pass(AgentFixture.idle)
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
    }

    @Test func fiftyAtOnceAreOneRenewal() async throws {
        let issuer = MemoryIssuer()
        let fixture = try await opened(.unlocked, issuer)
        await fixture.agent.core.screenLocked()
        fixture.clock.pass(.seconds(700))
        let isOver = Mutex(false)
        let asking = Task {
            defer { isOver.withLock { $0 = true } }
            return try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...50 { group.addTask { try await token(fixture) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        // Whoever waits for the turn looks again after a while.
        while !isOver.withLock({ $0 }) {
            fixture.clock.pass(.milliseconds(20))
            try await Task.sleep(for: .milliseconds(1))
        }
        let tokens = try await asking.value
        #expect(tokens == Array(repeating: "t-new", count: 50))
        #expect(issuer.calls.all == ["refresh"])
    }

    /// The machine slept over the time at which the session was to be signed out.
    @Test(arguments: [false, true]) func aMachineThatWakesSignsOutFirst(_ isAskedFirst: Bool) async throws {
        let fixture = try await opened(.unlocked)
        _ = try await fixture.agent.sessions.setSignOut(
            of: "fern", try SignOutChange(until: .after(seconds: 7200), keep: nil), pin: nil, from: .person,
            for: AgentFixture.person)
        await fixture.agent.core.screenLocked()
        fixture.clock.pass(.seconds(8 * 3600))
        if !isAskedFirst { await fixture.agent.core.wakeUp() }
        let told = await failure { _ = try await token(fixture) }
        #expect(told?.kind == .signedOut, "\(String(describing: told))")
        let sessions = try fixture.sessions
        #expect(try sessions.store.tokens(of: try sessions.lookup().session("fern").id)?.end == .timeOver)
        #expect(fixture.signedOut.count == 1)
    }

    /// Nobody types a PIN for what cannot be had.
    @Test func theTimeOfASessionComesBeforeThePIN() async throws {
        let fixture = try await opened(.asked)
        _ = try await fixture.agent.sessions.setSignOut(
            of: "fern", try SignOutChange(until: .after(seconds: 1800), keep: nil), pin: nil, from: .person,
            for: AgentFixture.person)
        fixture.screen.answers(.typed(MemoryGate.pin))
        fixture.clock.pass(.seconds(1800))
        let told = await failure { _ = try await token(fixture) }
        #expect(told?.kind == .signedOut && told?.hint == "countersign login fern")
        #expect(fixture.screen.kinds == [])
    }

    @Test func aSessionWithoutAnythingLeftComesBeforeThePIN() async throws {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t", lifetime: 600)
        _ = try fixture.sessions.allow(
            GrantOptions(
                Program(.unit, "backup.service"), try #require(SessionName("fern")), scopes: nil, resources: [],
                try AllowOptions(.asked)))
        try await fixture.unlock()
        fixture.screen.answers(.typed(MemoryGate.pin))
        #expect(try await token(fixture) == "t")
        fixture.clock.pass(.seconds(601))
        #expect(await failure { _ = try await token(fixture) }?.kind == .signedOut)
        #expect(fixture.screen.kinds == [.pin])
        // The person is told to sign in again, as for any other program.
        #expect(fixture.signIns.count == 1)
    }

    // MARK: The person's terminal

    @Test func thePersonsTerminalNeedsAGrantWhereTheyWantThat() async throws {
        let fixture = try await AgentFixture(terminalNeedsGrant: true)
        try fixture.addSession("https://fern.example", token: "t-fern")
        try await fixture.unlock()
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person, wait: 0) }?.kind == .locked)
        let request = try #require(fixture.asked.all.first)
        #expect(request.program.text == "terminal:person")
        _ = try await fixture.agent.sessions.allow(
            request.id, try AllowOptions(), pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        #expect(try await token(fixture, for: AgentFixture.person) == "t-fern")
        // A program that runs our command on a terminal of its own making is that program.
        fixture.programs.set(PeerProgram(.script, "/home/mira/sly"), of: "countersign")
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person, wait: 0) }?.kind == .locked)
        #expect(fixture.asked.all.last?.program.text == "script:/home/mira/sly")
    }

    // MARK: While a token is being renewed

    private enum Meanwhile: CaseIterable {
        case nothing, locks, locksTheScreen, revokes
    }

    /// What the person does meanwhile counts. The new token is kept all the same.
    @Test(arguments: Meanwhile.allCases) private func thePersonTakesItBack(_ meanwhile: Meanwhile) async throws {
        let issuer = MemoryIssuer()
        let fixture = try await opened(.open, issuer)
        fixture.clock.pass(.seconds(700))
        let sessions = try fixture.sessions
        let grant = try #require(try sessions.store.grants().first)
        issuer.state.withLock { state in
            state.whileRenewing = {
                fixture.clock.pass(.seconds(1))
                switch meanwhile {
                case .nothing: break
                case .locks: _ = try? await fixture.agent.lock()
                case .locksTheScreen: await fixture.agent.core.screenLocked()
                case .revokes: try? sessions.store.removeGrant(grant.id, noting: nil)
                }
            }
        }
        let told = await failure { _ = try await token(fixture) }
        #expect((told == nil) == (meanwhile == .nothing), "\(String(describing: told))")
        #expect(issuer.calls.all == ["refresh"])
        let id = try sessions.lookup().session("fern").id
        #expect(try sessions.store.tokens(of: id)?.refreshToken?.secret.withBytes { Array($0) } == Array("r-new".utf8))
    }

    /// The machine may sleep only when the answer is stored.
    @Test func aRenewalIsFinishedBeforeTheMachineSleeps() async throws {
        let issuer = MemoryIssuer()
        let fixture = try await opened(.unlocked, issuer)
        fixture.clock.pass(.seconds(700))
        let (answer, release) = AsyncStream.makeStream(of: Never.self)
        issuer.state.withLock { $0.whileRenewing = { for await _ in answer {} } }
        let order = Recorded<String>()
        async let handedOut: Void = {
            _ = try? await token(fixture)
            order.add("token")
        }()
        _ = await issuer.calls.until { $0.first }
        await fixture.agent.core.leaving()
        async let mayLeave: Void = {
            await fixture.agent.sessions.settled()
            order.add("leaves")
        }()
        while !fixture.agent.sessions.servings.isAwaited { try await Task.sleep(for: .milliseconds(1)) }
        #expect(order.all == [])
        release.finish()
        _ = await (handedOut, mayLeave)
        #expect(Set(order.all) == ["token", "leaves"])
        let sessions = try fixture.sessions
        let id = try sessions.lookup().session("fern").id
        #expect(try sessions.store.tokens(of: id)?.refreshToken?.secret.withBytes { Array($0) } == Array("r-new".utf8))
    }
}
