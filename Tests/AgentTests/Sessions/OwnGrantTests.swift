@testable import Agent
import Basics
import LocalSocket
import SessionModel
import Sessions
import Testing

/// A program signs itself out.
@Suite(.timeLimit(.minutes(5))) struct OwnGrantTests {
    private func opened(_ use: ProgramGrant.Use) async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        fixture.programs.set(PeerProgram(.unit, "mail.service"), of: "front-end")
        try fixture.addSession("https://fern.example", token: "t-fern")
        for name in ["backup", "mail"] {
            let program = try #require(Program("unit:\(name).service"))
            let session = try #require(SessionName("fern"))
            _ = try fixture.sessions.allow(
                GrantOptions(program, session, scopes: nil, resources: [], try AllowOptions(use)))
        }
        return try await fixture.unlock()
    }

    private func failureOfToken(_ fixture: AgentFixture, for caller: CallerContext) async -> Failure? {
        await failure {
            let request = TokenRequest(target: "fern", try TokenTerms())
            _ = try await fixture.agent.sessions.token(request, for: fixture.known(caller))
        }
    }

    private func programs(_ fixture: AgentFixture) throws -> Set<String> {
        Set(try fixture.sessions.store.grants().map(\.program.text))
    }

    private static let both: Set = ["unit:backup.service", "unit:mail.service"]

    @Test(arguments: AgentFixture.Lock.allCases + [nil], [ProgramGrant.Use.open, .unlocked])
    func itsGrantsAreRevokedInEachState(_ lock: AgentFixture.Lock?, _ use: ProgramGrant.Use) async throws {
        let fixture = try await opened(use)
        if let lock { try await fixture.lock(by: lock) }
        let isShut = try await fixture.agent.handshake().sessions == .shut
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        // While nothing can be written it is kept in memory.
        #expect(try programs(fixture) == (isShut ? Self.both : ["unit:mail.service"]))
        try await fixture.unlock()
        #expect(try programs(fixture) == ["unit:mail.service"])
        #expect(
            await failureOfToken(fixture, for: SessionWingTests.backup)?.message
                == SessionError.notGranted.failure.message)
        #expect(
            await failureOfToken(fixture, for: AgentFixture.frontEnd) == nil,
            "another program has nothing to do with it")
        // The person allows it again, and the next PIN does not revoke that.
        let options = GrantOptions(
            Program(.unit, "backup.service"), try #require(SessionName("fern")), scopes: nil, resources: [],
            try AllowOptions(use))
        _ = try await fixture.agent.sessions.allow(
            options, pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        try await fixture.lock(by: .command)
        try await fixture.unlock()
        #expect(await failureOfToken(fixture, for: SessionWingTests.backup) == nil)
    }

    @Test func theKeyGoesWithTheLastProgramThatNeedsIt() async throws {
        let fixture = try await opened(.unlocked)
        await fixture.agent.core.screenLocked()
        for caller in [SessionWingTests.backup, AgentFixture.frontEnd] {
            #expect(try await fixture.agent.handshake().sessions == .asleep)
            try await fixture.agent.sessions.revokeOwn(for: fixture.known(caller))
        }
        #expect(try await fixture.agent.handshake().sessions == .shut)
    }

    @Test func whatItAskedForIsTakenBack() async throws {
        let fixture = try await opened(.open)
        fixture.programs.set(PeerProgram(.unit, "other.service"), of: "backup")
        #expect(await failureOfToken(fixture, for: SessionWingTests.backup)?.kind == .locked)
        let id = try #require(fixture.asked.all.first).id
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        #expect(fixture.retracted.all == [id])
        #expect(try programs(fixture) == Self.both)
    }

    @Test func whoeverCannotBeToldHasNothingToLose() async throws {
        let fixture = try await opened(.open)
        fixture.programs.set(nil, of: "backup")
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        #expect(try programs(fixture) == Self.both)
    }

    @Test func theLogCountsItsTokensFirst() async throws {
        let fixture = try await opened(.open)
        for _ in 1...3 { #expect(await failureOfToken(fixture, for: SessionWingTests.backup) == nil) }
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        let events = try await fixture.agent.sessions.history(SessionHistoryRequest(), for: AgentFixture.person).events
        #expect(
            events.suffix(3).map { "\($0.event) \($0.detail ?? "-")" }
                == ["handed_out 1", "handed_out 2", "revoked by_itself"])
    }
}
