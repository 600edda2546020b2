@testable import Agent
import Basics
import Glibc
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Synchronization
import Testing

/// What is there for `token TARGET` and `header URL` without a renewal, a question or a change.
@Suite(.timeLimit(.minutes(2))) struct ReadyTokenTests {
    private static let backup = SessionWingTests.backup
    private static let person = AgentFixture.person

    /// An open agent with the session `fern`, whose token lasts for ten minutes.
    private func opened(_ issuer: MemoryIssuer = MemoryIssuer()) async throws -> AgentFixture {
        let fixture = try await AgentFixture(issuer: issuer)
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern", lifetime: 600, renewedBy: "r")
        return try await fixture.unlock()
    }

    private func allow(_ use: ProgramGrant.Use, _ fixture: AgentFixture) throws -> String {
        let program = try #require(Program("unit:backup.service"))
        return try fixture.sessions.allow(
            GrantOptions(
                program, try #require(SessionName("fern")), scopes: nil, resources: [], try AllowOptions(use))
        ).grant.id
    }

    private func ready(
        _ fixture: AgentFixture, for caller: CallerContext = person, _ target: String? = "fern",
        of pid: Int32 = getpid(), version: String = ProductVersion.text
    ) async throws -> [String] {
        let request = ReadyRequest(of: pid, version: version, target: target)
        return try await fixture.agent.sessions.ready(request, for: fixture.known(caller)).lines
    }

    private func token(_ fixture: AgentFixture, for caller: CallerContext) async throws -> String {
        let request = TokenRequest(target: "fern", try TokenTerms())
        return try await fixture.agent.sessions.token(request, for: fixture.known(caller)).token.value
    }

    @Test func thePersonHasWhatIsGood() async throws {
        let issuer = MemoryIssuer()
        let fixture = try await opened(issuer)
        #expect(try await ready(fixture) == ["t-fern"])
        #expect(try await ready(fixture, nil) == ["t-fern"])
        #expect(try await ready(fixture, "https://fern.example") == ["t-fern"])
        #expect(try await ready(fixture, "moss") == [])
        #expect(try await ready(fixture, version: "0.1.0") == [])
        #expect(try await ready(fixture, of: getpid() + 1) == [])
        fixture.clock.pass(.seconds(570))
        #expect(try await ready(fixture) == [])
        #expect(issuer.calls.all == [])
        _ = try await fixture.agent.lock()
        #expect(await failure { _ = try await ready(fixture) }?.kind == .locked)
    }

    @Test func thePersonsRequestIsUse() async throws {
        let fixture = try await opened()
        fixture.clock.pass(AgentFixture.idle - .seconds(1))
        _ = try await ready(fixture)
        fixture.clock.pass(.seconds(2))
        #expect(try await fixture.agent.handshake().sessions == .atHand)
    }

    @Test func aProgramWithoutAGrantIsNotNoted() async throws {
        let fixture = try await opened()
        #expect(try await ready(fixture, for: Self.backup) == [])
        #expect(fixture.asked.count == 0)
    }

    /// The first token of a grant is noted, so it is asked for in the ordinary way.
    @Test(arguments: ProgramGrant.Use.allCases) func aProgramHasWhatItHadBefore(_ use: ProgramGrant.Use) async throws {
        let fixture = try await opened()
        let grant = try allow(use, fixture)
        #expect(try await ready(fixture, for: Self.backup) == [])
        guard use != .asked else { return }
        #expect(try await token(fixture, for: Self.backup) == "t-fern")
        #expect(try await ready(fixture, for: Self.backup) == ["t-fern"])
        #expect(try await ready(fixture, for: Self.backup, "moss") == [])
        await fixture.agent.core.screenLocked()
        if use == .unlocked {
            #expect(try await ready(fixture, for: Self.backup) == ["t-fern"])
        } else {
            #expect(await failure { _ = try await ready(fixture, for: Self.backup) }?.kind == .locked)
        }
        try await fixture.unlock()
        _ = try await fixture.sessions.revokeGrant(grant)
        #expect(try await ready(fixture, for: Self.backup) == [])
        #expect(fixture.screen.kinds == [] && fixture.asked.count == 0)
    }

    /// A token that is handed out so counts as any other.
    @Test func eachTokenCounts() async throws {
        let fixture = try await opened()
        _ = try allow(.open, fixture)
        _ = try await token(fixture, for: Self.backup)
        for _ in 1...3 { _ = try await ready(fixture, for: Self.backup) }
        #expect(Array(fixture.agent.sessions.uses.counts.values) == [3])
    }

    /// Where that is wished, the person's terminal takes a grant, too.
    @Test func aTerminalThatNeedsAGrantIsNotNoted() async throws {
        let fixture = try await AgentFixture(terminalNeedsGrant: true)
        try fixture.addSession("https://fern.example", token: "t-fern")
        try await fixture.unlock()
        #expect(try await ready(fixture) == [])
        #expect(fixture.asked.count == 0)
    }

    @Test func thePersonGetsNothingWhileTheyAreAway() async throws {
        let fixture = try await opened()
        _ = try allow(.unlocked, fixture)
        await fixture.agent.core.screenLocked()
        #expect(try await ready(fixture) == [])
    }
}
