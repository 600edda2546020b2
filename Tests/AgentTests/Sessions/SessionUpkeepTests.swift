@testable import Agent
import Basics
import SessionModel
import Sessions
import Testing
import Verbs

/// What the person sees and changes of sessions through the agent.
@Suite(.timeLimit(.minutes(5))) struct SessionUpkeepTests {
    private func opened() async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private static let quietly = SignOutOptions(localOnly: true, browser: false)

    @Test func aSessionIsShownAndRenamed() async throws {
        let fixture = try await opened()
        let sessions = fixture.agent.sessions
        let details = try await sessions.perform(
            SessionVerbs.show, on: "https://fern.example", ShowOptions(refresh: false))
        let own = try await SessionVerbs.show.carryOut(
            try fixture.sessions, VerbCall(name: "fern", input: ShowOptions(refresh: false)))
        #expect(details == own && details.session.name == "fern")
        let oak = try #require(SessionName("oak"))
        #expect(
            try await sessions.perform(SessionVerbs.rename, on: "fern", SessionChange(name: oak)).session.name == "oak")
        #expect(try fixture.sessions.store.sessions().map(\.name) == [oak])
        #expect(
            await failure {
                try await sessions.perform(SessionVerbs.rename, on: "fern", SessionChange(name: oak))
            }?.kind == .notFound)
        // This issuer has no UserInfo, and nothing is asked of it.
        #expect(
            await failure {
                try await sessions.perform(SessionVerbs.show, on: "oak", ShowOptions(refresh: true))
            }?.kind == .refused)
    }

    @Test func aSignOutTakesTheKeyThatOnlyItsGrantNeeded() async throws {
        let fixture = try await opened()
        let (program, fern) = (try #require(Program("unit:backup.service")), try #require(SessionName("fern")))
        _ = try fixture.sessions.allow(
            GrantOptions(program, fern, scopes: nil, resources: [], try AllowOptions(.unlocked)))
        let ended = try await fixture.agent.sessions.signOut("fern", Self.quietly, for: AgentFixture.person).signedOut
        #expect(ended.name == "fern" && ended.issuer == "https://fern.example" && !ended.revoked && ended.page == nil)
        #expect(try fixture.sessions.store.sessions().isEmpty && fixture.sessions.store.grants().isEmpty)
        #expect(try await fixture.agent.handshake().sessions == .atHand)
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.agent.handshake().sessions == .shut)
        try await fixture.unlock()
        let gone = await failure {
            _ = try await fixture.agent.sessions.signOut("fern", Self.quietly, for: AgentFixture.person)
        }
        #expect(gone?.kind == .notFound)
    }

    /// Banks' content is hidden by time while sessions are still at hand.
    @Test(arguments: AgentFixture.Lock.allCases) func nothingIsDoneWhileNotAtHand(_ lock: AgentFixture.Lock)
        async throws
    {
        let fixture = try await opened()
        let sessions = fixture.agent.sessions
        try await fixture.lock(by: lock)
        let told = [
            await failure { _ = try await sessions.sessions(for: AgentFixture.person) },
            await failure { _ = try await sessions.signOut("oak", Self.quietly, for: AgentFixture.person) },
        ]
        #expect(told.map { $0?.kind } == (lock == .time ? [nil, .notFound] : [.locked, .locked]))
        #expect(try fixture.sessions.store.sessions().count == 1)
    }
}
