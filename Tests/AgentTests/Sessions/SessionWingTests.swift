@testable import Agent
import Basics
import Foundation
import LocalSocket
import SessionModel
import Sessions
import Synchronization
import Testing

/// Who gets a token from the agent, and when: the person at a terminal, and programs by what they were allowed.
@Suite(.timeLimit(.minutes(5))) struct SessionWingTests {
    static let backup = CallerContext(
        requester: Requester(pid: 4720, uid: 1000, commands: ["backup"]), isOwnProgram: false, isPerson: false)
    static let program = "unit:backup.service"

    /// An open agent with the session `fern`, whose token never runs out.
    private func opened() async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private func token(
        _ fixture: AgentFixture, for caller: CallerContext, scopes: String? = nil, wait: Int64 = 0
    ) async throws -> String {
        let request = TokenRequest(
            target: "fern", aim: TokenAim(scopes: scopes.flatMap { Scopes($0) }), try TokenTerms(wait: wait))
        return try await fixture.agent.sessions.token(request, for: fixture.known(caller)).token.value
    }

    private func allow(
        _ fixture: AgentFixture, _ use: ProgramGrant.Use, scopes: String? = nil, to name: String = Self.program
    ) throws -> GrantPayload {
        let program = try #require(Program(name))
        let session = try #require(SessionName("fern"))
        return try fixture.sessions.allow(
            GrantOptions(
                program, session, scopes: scopes.flatMap { Scopes($0) }, resources: [], try AllowOptions(use))
        ).grant
    }

    // MARK: How long

    @Test func aPersonGetsTokensForAnHourAfterTheLastUse() async throws {
        let fixture = try await opened()
        #expect(try await token(fixture, for: AgentFixture.person) == "t-fern")
        for _ in 1...3 {
            fixture.clock.pass(.seconds(3599))
            #expect(try await token(fixture, for: AgentFixture.person) == "t-fern")
        }
        // What banks ask was hidden after five minutes all the same.
        #expect(try await fixture.state == .hidden)
        fixture.clock.pass(.seconds(3600))
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person) }?.kind == .locked)
        try await fixture.unlock()
        #expect(try await token(fixture, for: AgentFixture.person) == "t-fern")
    }

    @Test func aProgramDoesNotKeepSessionsAtHand() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .open)
        for _ in 1...2 {
            #expect(try await token(fixture, for: Self.backup) == "t-fern")
            fixture.clock.pass(.seconds(1800))
        }
        #expect(await failure { _ = try await token(fixture, for: Self.backup) }?.kind == .locked)
    }

    /// The whole table of oauth section 5.2, for each state that an agent comes to.
    @Test(arguments: AgentFixture.Lock.allCases + [nil], ProgramGrant.Use.allCases)
    func whoGetsATokenWhen(_ lock: AgentFixture.Lock?, _ use: ProgramGrant.Use) async throws {
        let fixture = try await opened()
        _ = try allow(fixture, use)
        if let lock { try await fixture.lock(by: lock) }
        fixture.screen.answers(.typed(MemoryGate.pin))
        let isAtHand = lock == nil || lock == .time
        let isShut = lock == .command || lock == .leaving
        let got = await failure { _ = try await token(fixture, for: Self.backup, wait: 60) } == nil
        #expect(got == (isAtHand || (use == .unlocked && !isShut)))
        #expect(fixture.screen.kinds == (use == .asked && isAtHand ? [.pin] : []))
        let person = await failure { _ = try await token(fixture, for: AgentFixture.person) } == nil
        #expect(person == isAtHand)
        let reach = try await fixture.agent.handshake().sessions
        #expect(reach == (isAtHand ? .atHand : use == .unlocked && !isShut ? .asleep : .shut))
    }

    @Test func aScreenLockEndsWhatAHiddenAgentStillHad() async throws {
        let fixture = try await opened()
        try await fixture.lock(by: .time)
        await fixture.agent.core.screenLocked()
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person) }?.kind == .locked)
    }

    @Test func theKeyGoesWithTheLastGrantThatNeedsIt() async throws {
        let fixture = try await opened()
        let grant = try allow(fixture, .unlocked)
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.agent.handshake().sessions == .asleep)
        _ = try await fixture.sessions.revokeGrant(grant.id)
        await fixture.agent.sessions.changed()
        #expect(try await fixture.agent.handshake().sessions == .shut)
    }

    // MARK: What a program asks for

    @Test func aProgramWithoutAGrantIsNotedAndGetsNothing() async throws {
        let fixture = try await opened()
        for _ in 1...2 {
            let refused = await failure { _ = try await token(fixture, for: Self.backup) }
            #expect(refused == SessionError.notGranted.failure)
        }
        let requests = try await fixture.agent.sessions.programRequests(for: AgentFixture.person).requests
        let request = try #require(requests.first)
        #expect(requests.count == 1 && fixture.asked.count == 1)
        #expect(request.program.text == Self.program && request.session == "fern" && request.requester == ["backup"])
        #expect(request.scopes == ["mail", "openid"])
        fixture.clock.pass(.seconds(600))
        _ = try await fixture.state
        #expect(try await fixture.agent.sessions.programRequests(for: AgentFixture.person).requests == [])
    }

    @Test func whatTheProgramCannotTellFromOthersIsRefused() async throws {
        let fixture = try await opened()
        let stranger = AgentFixture.frontEnd
        #expect(await failure { _ = try await token(fixture, for: stranger) }?.kind == .locked)
        #expect(fixture.asked.count == 0)
    }

    /// It does not learn which sessions there are.
    @Test(arguments: ["fern", "oak", "https://fern.example", "https://oak.example"])
    func aStrangerHearsTheSameWhateverItNames(_ target: String) async throws {
        let fixture = try await opened()
        let told = await failure {
            _ = try await fixture.agent.sessions.token(
                TokenRequest(target: target, try TokenTerms()), for: fixture.known(Self.backup))
        }
        #expect(told?.message == SessionError.notGranted.failure.message && told?.kind == .locked)
    }

    @Test func aProgramThatWaitsGetsItsTokenWhenItIsAllowed() async throws {
        let fixture = try await opened()
        async let token = token(fixture, for: Self.backup, wait: 60)
        await fixture.asked.until(count: 1)
        let id = try #require(fixture.asked.all.first).id
        let wrong = await failure {
            _ = try await fixture.agent.sessions.allow(
                id, try AllowOptions(), pin: try MemoryGate.secret(MemoryGate.wrong), from: .person,
                for: AgentFixture.person)
        }
        #expect(wrong?.message.hasPrefix("wrong PIN") == true)
        let answer = try await fixture.agent.sessions.allow(
            id, try AllowOptions(seconds: 7200), pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        #expect(answer.request.outcome == "allowed" && answer.grant?.when == "open")
        #expect(try await token == "t-fern")
        #expect(try await self.token(fixture, for: Self.backup) == "t-fern")
        fixture.clock.pass(.seconds(3599))
        _ = try await self.token(fixture, for: AgentFixture.person)
        fixture.clock.pass(.seconds(3599))
        _ = try await self.token(fixture, for: AgentFixture.person)
        fixture.clock.pass(.seconds(10))
        #expect(await failure { _ = try await self.token(fixture, for: Self.backup) }?.kind == .locked, "it is over")
    }

    /// The program is refused, in the words for a session that does not exist, and not before this time has passed.
    private func passes(_ seconds: Int, in fixture: AgentFixture, during asking: Task<Failure?, Never>) async throws {
        let isOver = Mutex(false)
        let told = Task {
            defer { isOver.withLock { $0 = true } }
            return await asking.value
        }
        var passed = 0
        while !isOver.withLock({ $0 }) {
            try await Task.sleep(for: .milliseconds(1))
            // The core's timer always sleeps. Time passes only while the program waits, too, however late it comes to that.
            guard fixture.clock.sleepers > 1 else { continue }
            fixture.clock.pass(.seconds(1))
            passed += 1
        }
        #expect(await told.value == SessionError.notGranted.failure)
        #expect(passed >= seconds)
    }

    @Test func aRefusalHoldsForTenMinutes() async throws {
        let fixture = try await opened()
        let refusing = Task { await failure { _ = try await token(fixture, for: Self.backup, wait: 60) } }
        await fixture.asked.until(count: 1)
        let id = try #require(fixture.asked.all.first).id
        _ = try await fixture.agent.sessions.refuse(id, for: AgentFixture.person)
        // It hears so at the end of its time, now and the next time.
        try await passes(60, in: fixture, during: refusing)
        try await passes(
            60, in: fixture, during: Task { await failure { _ = try await token(fixture, for: Self.backup, wait: 60) } }
        )
        #expect(fixture.asked.count == 1)
        fixture.clock.pass(.seconds(600))
        #expect(await failure { _ = try await token(fixture, for: Self.backup) }?.kind == .locked)
        #expect(fixture.asked.count == 2)
    }

    @Test(arguments: AgentFixture.Lock.allCases) func theWaitEndsWithItsTimeAndWithTheLock(
        _ lock: AgentFixture.Lock
    ) async throws {
        let fixture = try await opened()
        let isOver = Mutex(false)
        let waiting = Task {
            defer { isOver.withLock { $0 = true } }
            return await failure { _ = try await token(fixture, for: Self.backup, wait: 60) }
        }
        await fixture.asked.until(count: 1)
        if lock == .time {
            // The wait may begin at any moment from now on.
            while !isOver.withLock({ $0 }) {
                fixture.clock.pass(.seconds(1))
                try await Task.sleep(for: .milliseconds(1))
            }
        } else {
            try await fixture.lock(by: lock)
        }
        #expect(await waiting.value?.kind == .locked)
    }

    @Test func sixteenProgramsMayAskAtOnce() async throws {
        let fixture = try await opened()
        for number in 1...17 {
            let command = "program \(number)"
            fixture.programs.set(PeerProgram(.path, "/usr/bin/\(number)"), of: command)
            let caller = CallerContext(
                requester: Requester(pid: 5000, uid: 1000, commands: [command]), isOwnProgram: false, isPerson: false)
            #expect(await failure { _ = try await token(fixture, for: caller) }?.kind == .locked)
        }
        #expect(fixture.asked.count == 16)
    }

    // MARK: What a grant covers

    @Test func aNarrowGrantGivesNoMore() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .open, scopes: "openid")
        // The session's token has more scopes, and a narrower one would take a renewal.
        #expect(await failure { _ = try await token(fixture, for: Self.backup) }?.kind == .signedOut)
        #expect(await failure { _ = try await token(fixture, for: Self.backup, scopes: "mail") }?.kind == .locked)
        #expect(fixture.asked.all.map { $0.choices.first?.aim.scopes?.text } == ["mail"])
        #expect(
            await failure { _ = try await token(fixture, for: Self.backup, scopes: "nothing.known") }?.kind == .refused)
    }

    @Test func anIssuerThatNarrowsNothingGivesAProgramNothing() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .open, scopes: "openid")
        let session = try fixture.sessions.lookup().session("fern")
        var tokens = try #require(try fixture.sessions.store.tokens(of: session.id))
        tokens.access[0].aim = TokenAim(scopes: Scopes("openid"))
        try fixture.sessions.store.write(tokens, of: session.id)
        let refused = await failure { _ = try await token(fixture, for: Self.backup) }
        #expect(refused?.kind == .refused && refused?.message.contains("more than it may have: mail openid") == true)
        tokens.access[0].scopes = try #require(Scopes("openid"))
        try fixture.sessions.store.write(tokens, of: session.id)
        #expect(try await token(fixture, for: Self.backup) == "t-fern")
    }

    @Test func usesAreWrittenOnceAMinute() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .unlocked)
        var seen: Set<Date> = []
        for _ in 1...5 {
            _ = try await token(fixture, for: Self.backup)
            seen.formUnion(try fixture.sessions.store.grants().compactMap(\.lastUsedAt))
            fixture.clock.pass(.seconds(10))
        }
        #expect(seen.count == 1)
    }

    // MARK: Windows

    @Test(arguments: [true, false]) func aReviewShowsAllAndTakesThePIN(_ isAlways: Bool) async throws {
        let fixture = try await opened()
        fixture.programs.set(PeerProgram(.path, "/home/mira/bin/backup", isChangeable: true), of: "backup")
        _ = await failure { _ = try await token(fixture, for: Self.backup) }
        let id = try #require(fixture.asked.all.first).id
        fixture.screen.answers(.yes, isAlways ? .yes : .no, .typed(MemoryGate.wrong), .typed(MemoryGate.pin))
        #expect(try await fixture.agent.sessions.review(id))
        #expect(fixture.screen.kinds == [.yesOrNo, .yesOrNo, .pin, .pin])
        let shown = try #require(fixture.screen.asked.all.first).text
        for words in ["path:/home/mira/bin/backup", "fern", "fern.example", "mail openid", "mira", "could change"] {
            #expect(shown.contains(words), "\(words)")
        }
        let grant = try #require(try fixture.sessions.store.grants().first)
        #expect(grant.use == (isAlways ? .unlocked : .open))
        // What the PIN allows stands above it.
        let last = try #require(fixture.screen.asked.all.last).text
        #expect(last.contains(isAlways ? "When: also when nobody is here" : "When: while you are here"))
        #expect(fixture.retracted.all == [id])
    }

    @Test func aNoInTheReviewRefuses() async throws {
        let fixture = try await opened()
        _ = await failure { _ = try await token(fixture, for: Self.backup) }
        let id = try #require(fixture.asked.all.first).id
        fixture.screen.answers(.no)
        #expect(try await !fixture.agent.sessions.review(id))
        #expect(fixture.retracted.all == [id])
        #expect(await failure { _ = try await token(fixture, for: Self.backup) } == SessionError.notGranted.failure)
        #expect(fixture.asked.count == 1)
        #expect(try fixture.sessions.store.grants().isEmpty)
    }

    // MARK: What a review found

    /// Whoever uses the agent for banks is there.
    @Test func sessionsStayAtHandWhileTheAgentIsUsed() async throws {
        let fixture = try await opened()
        for _ in 1...15 {
            fixture.clock.pass(.seconds(250))
            try await fixture.agent.use(for: AgentFixture.person)
        }
        #expect(try await fixture.state == .open)
        #expect(try await fixture.agent.handshake().sessions == .atHand)
        #expect(try await token(fixture, for: AgentFixture.person) == "t-fern")
    }

    /// Neither words nor time tell a program what there is.
    @Test(arguments: [false, true], ["fern", "oak"])
    func aStrangerLearnsNothing(_ isAsleep: Bool, _ target: String) async throws {
        let fixture = try await opened()
        fixture.programs.set(PeerProgram(.path, "/usr/bin/other"), of: "front-end")
        _ = try allow(fixture, .unlocked)
        if isAsleep { await fixture.agent.core.screenLocked() }
        let told = await failure {
            let aim = TokenAim(scopes: Scopes("nothing.known"))
            _ = try await fixture.agent.sessions.token(
                TokenRequest(target: target, aim: aim, try TokenTerms()),
                for: fixture.known(AgentFixture.frontEnd))
        }
        let expected: SessionError = isAsleep ? .notAtHand : .notGranted
        #expect(told?.message == expected.failure.message)
        #expect(fixture.asked.count == 0)
        guard !isAsleep else { return }
        let isOver = Mutex(false)
        let waiting = Task {
            defer { isOver.withLock { $0 = true } }
            return await failure {
                _ = try await fixture.agent.sessions.token(
                    TokenRequest(target: target, try TokenTerms(wait: 60)),
                    for: fixture.known(AgentFixture.frontEnd))
            }
        }
        // Whatever it asks for, it waits.
        for _ in 1...20 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!isOver.withLock { $0 })
        while !isOver.withLock({ $0 }) {
            fixture.clock.pass(.seconds(1))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(await waiting.value?.kind == .locked)
    }

    @Test func aScreenLockTakesTheQuestionBack() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .asked)
        try await fixture.lock(by: .time)
        fixture.screen.answers(.none)
        let asking = Task { await failure { _ = try await token(fixture, for: Self.backup, wait: 60) } }
        await fixture.screen.asked.until(count: 1)
        await fixture.agent.core.screenLocked()
        #expect([.cancelled, .locked].contains(await asking.value?.kind))
        #expect(fixture.screen.takenBack.all == [.pin])
        // That was no refusal of the person.
        try await fixture.unlock()
        fixture.screen.answers(.typed(MemoryGate.pin))
        #expect(try await token(fixture, for: Self.backup, wait: 60) == "t-fern")
        fixture.screen.answers(.cancel)
        for _ in 1...2 {
            try await passes(
                60, in: fixture,
                during: Task { await failure { _ = try await token(fixture, for: Self.backup, wait: 60) } })
        }
        #expect(fixture.screen.asked.count == 3, "a refusal holds for a while")
    }

    @Test func banksAreServedWhereSessionsCannotBeOpened() async throws {
        let fixture = try await AgentFixture()
        fixture.vault.contents.withLock { $0.hasSessionsKey = false }
        try await fixture.unlock()
        #expect(try await fixture.state == .open)
        #expect(try await fixture.agent.handshake().sessions == .shut)
        #expect(fixture.announcer.calls.all.contains(.report("the sessions cannot be opened; only banks are served")))
    }

    /// The PIN says yes to what is there when it was typed, not to what was there when it was asked for.
    @Test(arguments: [false, true]) func aGrantThatWentWhileThePINWasTypedGivesNothing(_ isLocked: Bool) async throws {
        let fixture = try await opened()
        let grant = try allow(fixture, .asked)
        let (sessions, core) = (try fixture.sessions, fixture.agent.core)
        fixture.gate.state.withLock { state in
            state.whileOpening = {
                if isLocked {
                    let locked = DispatchSemaphore(value: 0)
                    Task {
                        await core.leaving()
                        locked.signal()
                    }
                    locked.wait()
                } else {
                    try? sessions.store.removeGrant(grant.id, noting: nil)
                }
            }
        }
        fixture.screen.answers(.typed(MemoryGate.pin))
        let isOver = Mutex(false)
        let asking = Task {
            defer { isOver.withLock { $0 = true } }
            return await failure { _ = try await token(fixture, for: Self.backup, wait: 1) }
        }
        await fixture.screen.asked.until(count: 1)
        // Without its grant the program waits for another one.
        while !isOver.withLock({ $0 }) {
            fixture.clock.pass(.milliseconds(100))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await asking.value?.kind == .locked)
    }

    @Test func theEndOfOneWaitIsNotTheEndOfAnother() async throws {
        let fixture = try await opened()
        let isOver = Mutex(false)
        let short = Task {
            defer { isOver.withLock { $0 = true } }
            return await failure { _ = try await token(fixture, for: Self.backup, wait: 1) }
        }
        await fixture.asked.until(count: 1)
        async let long = token(fixture, for: Self.backup, wait: 120)
        while !isOver.withLock({ $0 }) {
            fixture.clock.pass(.milliseconds(100))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await short.value?.kind == .locked)
        let id = try #require(fixture.asked.all.first).id
        _ = try await fixture.agent.sessions.allow(
            id, try AllowOptions(), pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        #expect(try await long == "t-fern")
    }

    @Test(arguments: [true, false]) func theKeyGoesWhenAGrantEndsByItself(_ isOver: Bool) async throws {
        let fixture = try await opened()
        let (program, session) = (try #require(Program(Self.program)), try #require(SessionName("fern")))
        _ = try fixture.sessions.allow(
            GrantOptions(
                program, session, scopes: nil, resources: [], try AllowOptions(.unlocked, seconds: isOver ? 600 : nil)))
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.agent.handshake().sessions == .asleep)
        if !isOver {
            // Another process signed out.
            let sessions = try fixture.sessions
            _ = try await sessions.signOut.signOut(try sessions.lookup().session("fern"), localOnly: true)
        }
        fixture.clock.pass(.seconds(660))
        #expect(try await fixture.agent.handshake().sessions == .shut)
    }

    @Test func aSessionThatIsGoneIsNotGranted() async throws {
        let fixture = try await opened()
        _ = await failure { _ = try await token(fixture, for: Self.backup) }
        let id = try #require(fixture.asked.all.first).id
        let sessions = try fixture.sessions
        _ = try await sessions.signOut.signOut(try sessions.lookup().session("fern"), localOnly: true)
        let told = await failure {
            _ = try await fixture.agent.sessions.allow(
                id, try AllowOptions(), pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        }
        #expect(told?.kind == .notFound)
        #expect(try sessions.store.grants().isEmpty)
    }

    @Test func allowingOneThingTakesNothingElseAway() async throws {
        let fixture = try await opened()
        let mail = try allow(fixture, .unlocked, scopes: "mail")
        let open = try allow(fixture, .open, scopes: "openid")
        #expect(Set(try fixture.sessions.store.grants().map(\.id)) == [mail.id, open.id])
        let again = try allow(fixture, .asked, scopes: "openid")
        #expect(Set(try fixture.sessions.store.grants().map(\.id)) == [mail.id, again.id])
    }

    @Test func whatRunsInASandboxIsNotThePerson() async throws {
        let fixture = try await opened()
        fixture.programs.set(PeerProgram(.snap, "fern"), of: "countersign")
        #expect(await failure { _ = try await token(fixture, for: AgentFixture.person) }?.kind == .locked)
        #expect(fixture.asked.all.first?.program == Program(.snap, "fern"))
    }

    /// Nor the program of a grant for the sandbox's id, which an earlier version made.
    @Test(arguments: ProgramGrant.Use.allCases) func whatRunsInASandboxWithoutANameIsNobody(
        _ use: ProgramGrant.Use
    ) async throws {
        let fixture = try await opened()
        #expect(try allow(fixture, use, to: "flatpak:org.fern.Mail").status == .unusable)
        fixture.programs.set(PeerProgram(.sandbox, ""), of: "countersign")
        for caller in [AgentFixture.person, Self.backup] {
            fixture.programs.set(PeerProgram(.sandbox, ""), of: "backup")
            #expect(await failure { _ = try await token(fixture, for: caller) }?.kind == .locked)
        }
        #expect(fixture.asked.all.isEmpty)
    }

    // MARK: Signing out

    @Test func aLogoutTakesTheGrantsWithIt() async throws {
        let fixture = try await opened()
        _ = try allow(fixture, .open)
        let sessions = try fixture.sessions
        _ = try await sessions.signOut.signOut(try sessions.lookup().session("fern"), localOnly: true)
        #expect(try fixture.sessions.store.grants().isEmpty)
        #expect(await failure { _ = try await token(fixture, for: Self.backup) }?.kind == .locked)
    }
}

extension AgentFixture {
    /// The caller with its program, as the socket tells it.
    func known(_ caller: CallerContext) -> CallerContext {
        var caller = caller
        caller.program = programs[caller.requester]
        return caller
    }

    /// Adds a session of this issuer. Its token lasts for `lifetime` seconds, by default for ever; `renewedBy` is its refresh token, if it has
    /// one.
    func addSession(
        _ issuer: String, token: String, lifetime: Int64? = nil, renewedBy refreshToken: String? = nil,
        isRevocable: Bool = false, scopes: String = "openid mail"
    ) throws {
        let issuer = try #require(Issuer(issuer))
        let scopes = try #require(Scopes(scopes))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: clock.now)
        metadata.revocationEndpoint = isRevocable ? issuer.address : nil
        let session = SignIn(
            id: SessionID(issuer.text), name: SessionName(suggestedBy: issuer), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes, resources: [],
            identity: Identity(subject: BankText("mira")), at: clock.now)
        let grant = TokenGrant(
            accessToken: try MemoryGate.secret(token), type: .bearer, lifetime: lifetime,
            refreshToken: try refreshToken.map { try MemoryGate.secret($0) })
        _ = try sessions.store.add(
            session, with: TokenSet(grant, scopes: scopes, at: Moment(clock.clock)), noting: nil)
    }
}
