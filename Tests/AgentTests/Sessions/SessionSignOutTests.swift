@testable import Agent
import Basics
import Foundation
import Keys
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Testing

/// Sessions that an agent signs out by itself, and what the person says of that.
@Suite(.timeLimit(.minutes(5))) struct SessionSignOutTests {
    /// An open agent with the session `fern`.
    private func opened(on events: Set<SignOutEvent> = []) async throws -> AgentFixture {
        let fixture = try await AgentFixture(signOut: SignOutClock(.never, on: events) { _ in 0 })
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private func token(_ fixture: AgentFixture, for caller: CallerContext = AgentFixture.person) async throws -> String
    {
        let request = TokenRequest(target: "fern", try TokenTerms())
        return try await fixture.agent.sessions.token(request, for: fixture.known(caller)).token.value
    }

    private func set(
        _ fixture: AgentFixture, until text: String? = nil, keep: Bool? = nil, pin: String? = nil
    ) async throws -> SessionPayload {
        let options = try SignOutChange(until: text.map { try #require(SignOutRule($0)) }, keep: keep)
        return try await fixture.agent.sessions.setSignOut(
            of: "fern", options, pin: try pin.map { try MemoryGate.secret($0) }, from: .person,
            for: AgentFixture.person
        ).session
    }

    /// Waits until the work of signing out is done.
    private func settled(_ fixture: AgentFixture) async throws {
        _ = try await fixture.state
        while let work = await fixture.agent.sessions.revocations.underWay { await work.value }
    }

    private func end(_ fixture: AgentFixture) throws -> EndReason? {
        let sessions = try fixture.sessions
        return try sessions.store.tokens(of: sessions.lookup().session("fern").id)?.end
    }

    private func allow(_ fixture: AgentFixture, _ use: ProgramGrant.Use) throws {
        let program = try #require(Program("unit:backup.service"))
        _ = try fixture.sessions.allow(
            GrantOptions(
                program, try #require(SessionName("fern")), scopes: nil, resources: [], try AllowOptions(use)))
    }

    @Test func theAgentDoesItAtTheTime() async throws {
        let fixture = try await opened()
        #expect(try await set(fixture, until: "30m").signOutAt?.text == "2030-01-01T00:30:00Z")
        fixture.clock.pass(.seconds(1799))
        try await settled(fixture)
        #expect(try await token(fixture) == "t-fern" && end(fixture) == nil)
        fixture.clock.pass(.seconds(1))
        // Nobody has looked yet, and what is asked for is refused all the same.
        let refused = await failure { _ = try await token(fixture) }
        #expect(refused?.kind == .signedOut && refused?.hint == "countersign login fern")
        fixture.clock.pass(SignOutWatch.interval)
        try await settled(fixture)
        #expect(try end(fixture) == .timeOver)
        #expect(fixture.signedOut.count == 1)
        #expect(await failure { _ = try await token(fixture) }?.kind == .signedOut)
    }

    /// Also while nobody is there, if the key is here for programs.
    @Test(arguments: [ProgramGrant.Use.unlocked, .open]) func whileTheScreenIsLocked(_ use: ProgramGrant.Use)
        async throws
    {
        let fixture = try await opened()
        try allow(fixture, use)
        _ = try await set(fixture, until: "30m")
        await fixture.agent.core.screenLocked()
        fixture.clock.pass(.seconds(1800))
        try await settled(fixture)
        #expect(try end(fixture) == (use == .unlocked ? .timeOver : nil))
        let told = await failure { _ = try await token(fixture, for: SessionWingTests.backup) }
        #expect(told?.kind == (use == .unlocked ? .signedOut : .locked))
        // The grant stays, and the next PIN does what could not be done without it.
        try await fixture.unlock()
        try await settled(fixture)
        #expect(try end(fixture) == .timeOver && fixture.sessions.store.grants().count == 1)
    }

    @Test func theMachineWokeUpAfterTheTime() async throws {
        let fixture = try await opened()
        _ = try await set(fixture, until: "00:30")
        fixture.clock.pass(.seconds(14))
        try await settled(fixture)
        let session = try fixture.sessions.lookup().session("fern")
        #expect(try fixture.sessions.payload(session).signOutAt?.text == "2030-01-01T00:30:00Z")
        fixture.clock.pass(.seconds(86400))
        await fixture.agent.core.wakeUp()
        try await settled(fixture)
        // The agent shut after twelve hours: it is done with the next PIN.
        try await fixture.unlock()
        try await settled(fixture)
        #expect(try end(fixture) == .timeOver)
    }

    // MARK: Events

    private func leave(_ fixture: AgentFixture, by event: SignOutEvent) async {
        await fixture.agent.sessions.left(by: event)
        switch event {
        case .logout, .sleep: await fixture.agent.core.leaving()
        case .screenLock: await fixture.agent.core.screenLocked()
        }
        await fixture.agent.sessions.settled()
    }

    @Test(arguments: SignOutEvent.allCases, SignOutEvent.allCases)
    func whoLeavesIsSignedOut(_ event: SignOutEvent, _ setting: SignOutEvent) async throws {
        let fixture = try await opened(on: [setting])
        try fixture.addSession("https://oak.example", token: "t-oak")
        _ = try await fixture.agent.sessions.setSignOut(
            of: "oak", SignOutChange(until: nil, keep: true), pin: try MemoryGate.secret(), from: .person,
            for: AgentFixture.person)
        fixture.clock.pass(.seconds(1))
        await leave(fixture, by: event)
        #expect(try end(fixture) == (event == setting ? .left : nil))
        #expect(fixture.signedOut.count == (event == setting ? 1 : 0))
        try await fixture.unlock()
        try await settled(fixture)
        #expect(try end(fixture) == (event == setting ? .left : nil))
        #expect(await failure { _ = try await token(fixture) }?.kind == (event == setting ? .signedOut : nil))
        #expect(try fixture.sessions.list().sessions.map(\.reason) == [event == setting ? .ended(.left) : nil, nil])
    }

    /// The key is gone already: what the person left is signed out with the next PIN, and what came after it stays.
    @Test(arguments: SignOutEvent.allCases) func whoLeavesALockedAgent(_ event: SignOutEvent) async throws {
        let fixture = try await opened(on: [event])
        _ = try await fixture.agent.lock()
        fixture.clock.pass(.seconds(1))
        await leave(fixture, by: event)
        #expect(try end(fixture) == nil)
        fixture.clock.pass(.seconds(1))
        try fixture.addSession("https://oak.example", token: "t-oak")
        try await fixture.unlock()
        try await settled(fixture)
        #expect(try fixture.sessions.list().sessions.map(\.reason) == [.ended(.left), nil])
        // It is done once.
        try fixture.addSession("https://ash.example", token: "t-ash")
        try await fixture.unlock()
        try await settled(fixture)
        #expect(try fixture.sessions.list().sessions.map(\.reason) == [nil, .ended(.left), nil])
    }

    /// The agent ends meanwhile, as it does at a log-out: it is written down how the person left.
    @Test(arguments: SignOutEvent.allCases) func whoLeavesALockedAgentThatEnds(_ event: SignOutEvent) async throws {
        let fixture = try await opened(on: [event])
        _ = try await fixture.agent.lock()
        fixture.clock.pass(.seconds(1))
        await leave(fixture, by: event)
        let next = await fixture.another()
        try await next.unlock()
        #expect(try end(next) == .left)
    }

    /// Issuers come after that, however slow they are.
    @Test func theTokensGoBeforeAnyIssuerIsTold() async throws {
        let issuer = MemoryIssuer()
        let (forever, release) = AsyncStream.makeStream(of: Never.self)
        defer { release.finish() }
        issuer.state.withLock { state in
            state.whileRevoking = { () async throws(IssuerError) in for await _ in forever {} }
        }
        let fixture = try await AgentFixture(
            signOut: SignOutClock(.never, on: [.sleep, .screenLock]) { _ in 0 }, issuer: issuer)
        try fixture.addSession("https://fern.example", token: "t-fern", isRevocable: true)
        try fixture.addSession("https://oak.example", token: "t-oak", isRevocable: true)
        let oak = try fixture.sessions.lookup().session("oak")
        try fixture.sessions.store.owe([
            OwedRevocation(
                id: "1", issuer: oak.issuer, client: oak.client, token: SecretSlot(try MemoryGate.secret("old")),
                kind: .refresh, since: fixture.clock.now)
        ])
        try await fixture.unlock()
        // The issuer is being told of the old token, and does not answer.
        let isTelling = await fixture.agent.sessions.revocations.underWay != nil
        #expect(isTelling)
        fixture.clock.pass(.seconds(1))
        await fixture.agent.sessions.left(by: .screenLock)
        #expect(try end(fixture) == .left)
    }

    /// With the PIN comes first what the person left.
    @Test func nothingIsHandedOutAfterThePINBeforeItIsDone() async throws {
        let fixture = try await opened(on: [.sleep])
        _ = try await fixture.agent.lock()
        fixture.clock.pass(.seconds(1))
        await leave(fixture, by: .sleep)
        try await fixture.unlock()
        #expect(await failure { _ = try await token(fixture) }?.kind == .signedOut)
    }

    private struct FullDisk: DepartureStore {
        func note(_ departure: Departure) throws { throw StoreError.unusable("the disk is full") }
        func departures() throws -> [Departure] { [] }
        func forget(_ departure: Departure) throws {}
    }

    /// What cannot be signed out is not handed out either.
    @Test func aDepartureThatCannotBeWritten() async throws {
        let fixture = try await AgentFixture(
            signOut: SignOutClock(.never, on: [.screenLock]) { _ in 0 }, departures: FullDisk())
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        try allow(fixture, .unlocked)
        try await fixture.unlock()
        #expect(try await token(fixture, for: SessionWingTests.backup) == "t-fern")
        fixture.clock.pass(.seconds(1))
        await leave(fixture, by: .screenLock)
        #expect(await failure { _ = try await token(fixture, for: SessionWingTests.backup) }?.kind == .locked)
    }

    // MARK: What issuers are told

    @Test func anIssuerThatWasDownIsToldWithinTheHour() async throws {
        let issuer = MemoryIssuer()
        issuer.state.withLock { state in
            state.whileRevoking = { () async throws(IssuerError) in throw .unreachable(reason: "down") }
        }
        let fixture = try await AgentFixture(issuer: issuer)
        try fixture.addSession("https://oak.example", token: "t-oak", isRevocable: true)
        try await fixture.unlock()
        let ended = try await fixture.agent.sessions.signOut(
            "oak", SignOutOptions(localOnly: false, browser: false), for: AgentFixture.person)
        #expect(ended.signedOut.owed)
        try await settled(fixture)
        issuer.state.withLock { $0.whileRevoking = { () async throws(IssuerError) in } }
        fixture.clock.pass(RevocationSending.interval - SignOutWatch.interval)
        // As long as the person uses sessions, their key is here.
        _ = try await fixture.agent.sessions.sessions(for: AgentFixture.person)
        try await settled(fixture)
        #expect(issuer.calls.all.isEmpty)
        fixture.clock.pass(SignOutWatch.interval * 2)
        try await settled(fixture)
        #expect(issuer.calls.all == ["revoke t-oak"])
        try await settled(fixture)
        #expect(try fixture.sessions.store.owed().isEmpty)
    }

    // MARK: What takes the PIN

    @Test(
        arguments: [
            (nil, "8h", nil, false), ("8h", "2h", nil, false), ("8h", nil, false, false), ("2h", "8h", nil, true),
            ("2h", "never", nil, true), ("2h", nil, true, true), (nil, nil, true, true), (nil, "never", nil, false),
        ] as [(String?, String?, Bool?, Bool)])
    func whatTakesThePIN(_ row: (before: String?, until: String?, keep: Bool?, takesPIN: Bool)) async throws {
        let fixture = try await opened()
        if let before = row.before { _ = try await set(fixture, until: before) }
        let before = try fixture.sessions.sessionList()
        let told = await failure { _ = try await set(fixture, until: row.until, keep: row.keep) }
        #expect(told == (row.takesPIN ? Failure.takesPIN : nil))
        guard row.takesPIN else { return }
        #expect(try fixture.sessions.sessionList() == before)
        let wrong = await failure {
            _ = try await set(fixture, until: row.until, keep: row.keep, pin: MemoryGate.wrong)
        }
        #expect(wrong?.message.hasPrefix("wrong PIN") == true)
        let changed = try await set(fixture, until: row.until, keep: row.keep, pin: MemoryGate.pin)
        #expect(changed.keep == (row.keep ?? false))
        #expect(changed.signOutAt?.text == (row.until == "8h" ? "2030-01-01T08:00:00Z" : nil))
    }

    @Test func aSessionThatIsKeptIsAnotherOneAfterATime() async throws {
        let fixture = try await opened()
        _ = try await set(fixture, keep: true, pin: MemoryGate.pin)
        #expect(try await set(fixture, until: "1h").keep == false)
        await fixture.agent.core.screenLocked()
        #expect(await failure { _ = try await set(fixture, until: "1m") }?.kind == .locked)
    }
}
