@testable import Agent
import Basics
import LocalSocket
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

    private func suspended(_ fixture: AgentFixture) throws -> [String] {
        try fixture.sessions.store.grants().filter(\.isSuspended).map(\.program.text)
    }

    @Test(arguments: AgentFixture.Lock.allCases + [nil], [ProgramGrant.Use.open, .unlocked])
    func itsGrantsAreSuspendedInEachState(_ lock: AgentFixture.Lock?, _ use: ProgramGrant.Use) async throws {
        let fixture = try await opened(use)
        if let lock { try await fixture.lock(by: lock) }
        let isShut = try await fixture.agent.handshake().sessions == .shut
        try await fixture.agent.sessions.suspendOwn(for: fixture.known(SessionWingTests.backup))
        // While nothing can be written it is kept in memory.
        #expect(try suspended(fixture) == (isShut ? [] : ["unit:backup.service"]))
        try await fixture.unlock()
        #expect(try suspended(fixture) == ["unit:backup.service"])
        #expect(
            await failureOfToken(fixture, for: SessionWingTests.backup)?.message
                == SessionError.notGranted.failure.message)
        #expect(
            await failureOfToken(fixture, for: AgentFixture.frontEnd) == nil,
            "another program has nothing to do with it")
        // The person resumes it, and the next PIN does not suspend it again.
        let id = try #require(try fixture.sessions.store.grants().first { $0.isSuspended }).id
        _ = try await fixture.agent.sessions.resumeGrant(
            id, pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        try await fixture.lock(by: .command)
        try await fixture.unlock()
        #expect(await failureOfToken(fixture, for: SessionWingTests.backup) == nil)
    }

    @Test func theKeyGoesWithTheLastProgramThatNeedsIt() async throws {
        let fixture = try await opened(.unlocked)
        await fixture.agent.core.screenLocked()
        for caller in [SessionWingTests.backup, AgentFixture.frontEnd] {
            #expect(try await fixture.agent.handshake().sessions == .asleep)
            try await fixture.agent.sessions.suspendOwn(for: fixture.known(caller))
        }
        #expect(try await fixture.agent.handshake().sessions == .shut)
    }

    @Test func whatItAskedForIsTakenBack() async throws {
        let fixture = try await opened(.open)
        fixture.programs.set(PeerProgram(.unit, "other.service"), of: "backup")
        #expect(await failureOfToken(fixture, for: SessionWingTests.backup)?.kind == .locked)
        let id = try #require(fixture.asked.all.first).id
        try await fixture.agent.sessions.suspendOwn(for: fixture.known(SessionWingTests.backup))
        #expect(fixture.retracted.all == [id])
        #expect(try suspended(fixture) == [])
    }

    @Test func whoeverCannotBeToldHasNothingToLose() async throws {
        let fixture = try await opened(.open)
        fixture.programs.set(nil, of: "backup")
        try await fixture.agent.sessions.suspendOwn(for: fixture.known(SessionWingTests.backup))
        #expect(try suspended(fixture) == [])
    }
}
