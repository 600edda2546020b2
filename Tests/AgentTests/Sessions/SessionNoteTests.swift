@testable import Agent
import Records
import Basics
import Foundation
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Testing

/// What the agent notes, in each state of its lock, and when the log has it.
@Suite(.timeLimit(.minutes(5))) struct SessionNoteTests {
    private func opened() async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private func allow(
        _ fixture: AgentFixture, _ use: ProgramGrant.Use, _ scopes: Scopes? = nil
    ) async throws {
        let options = GrantOptions(
            try #require(Program("unit:backup.service")), try #require(SessionName("fern")), scopes: scopes,
            resources: [], try AllowOptions(use))
        _ = try await fixture.agent.sessions.allow(
            options, pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
    }

    private func history(_ fixture: AgentFixture) async throws -> [SessionHistoryPayload.Entry] {
        try await fixture.agent.sessions.history(SessionHistoryRequest(), for: AgentFixture.person).events
    }

    private func logged(_ fixture: AgentFixture) throws -> [SessionNote] { try fixture.log.notes().map(\.note) }

    /// While the log's key is away a note waits; the next PIN brings it there with its own time.
    @Test(arguments: AgentFixture.Lock.allCases, [true, false])
    func aNoteWaitsForThePIN(_ lock: AgentFixture.Lock, _ isAnother: Bool) async throws {
        var fixture = try await opened()
        try await allow(fixture, .unlocked)
        #expect(try await history(fixture).map(\.event) == ["granted"])
        try await fixture.lock(by: lock)
        // Where nothing can be written, it is done at the next PIN.
        let isShut = try await fixture.agent.handshake().sessions == .shut
        let then = fixture.clock.now
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        #expect(try fixture.sessions.store.countOfPendingNotes() == (isShut ? 0 : 1))
        #expect(try logged(fixture).count == 1)
        fixture.clock.pass(.seconds(100))
        if isAnother, !isShut { fixture = await fixture.another() }
        try await fixture.unlock()
        let told = try await history(fixture)
        #expect(told.map(\.event) == ["granted", "revoked"])
        #expect(told.last?.detail == "by_itself")
        if !isShut { #expect(told.last?.at == Timestamp(then)) }
        #expect(try fixture.sessions.store.countOfPendingNotes() == 0)
    }

    @Test func whoAskedForIt() async throws {
        let fixture = try await opened()
        try await allow(fixture, .open)
        let id = try #require(try fixture.sessions.store.grants().first).id
        try await fixture.agent.sessions.perform(SessionVerbs.revoke, on: id, RevokeOptions())
        _ = try await fixture.agent.sessions.signOut(
            "fern", SignOutOptions(localOnly: true, browser: false), for: AgentFixture.person)
        #expect(try await history(fixture).map(\.event) == ["granted", "revoked", "signed_out"])
        #expect(try logged(fixture).allSatisfy { $0.requester == AgentFixture.person.requester })
    }

    @Test func aRefusalNamesWhoAsked() async throws {
        let fixture = try await opened()
        let caller = fixture.known(SessionWingTests.backup)
        _ = await failure {
            _ = try await fixture.agent.sessions.token(
                TokenRequest(target: "fern", try TokenTerms()), for: caller)
        }
        let id = try #require(fixture.asked.all.first).id
        _ = try await fixture.agent.sessions.refuse(id, for: AgentFixture.person)
        let told = try await history(fixture)
        #expect(told.map(\.event) == ["refused"] && told.first?.program?.name == "backup.service")
        #expect(try logged(fixture).first?.requester == caller.requester)
    }

    /// Without anybody asking for the list, too.
    @Test func anOpenAgentGivesNotesToTheLog() async throws {
        let fixture = try await opened()
        try await allow(fixture, .open)
        #expect(try fixture.sessions.store.countOfPendingNotes() == 1)
        while try fixture.sessions.store.countOfPendingNotes() > 0 {
            fixture.clock.pass(.seconds(1))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try logged(fixture).map(\.event) == [.granted])
    }

    // MARK: Tokens that grants gave

    private func take(_ fixture: AgentFixture) async throws {
        _ = try await fixture.agent.sessions.token(
            TokenRequest(target: "fern", try TokenTerms()), for: fixture.known(SessionWingTests.backup))
    }

    private func uses(_ fixture: AgentFixture) throws -> Int? { try fixture.sessions.store.grants().first?.uses }

    private func handedOut(_ fixture: AgentFixture) async throws -> [String] {
        try await history(fixture).filter { $0.event == "handed_out" }.map { $0.detail ?? "" }
    }

    @Test func tokensAreCounted() async throws {
        let fixture = try await opened()
        try await allow(fixture, .unlocked)
        for _ in 0..<3 { try await take(fixture) }
        // The first was written at once, with its note; the others once a minute, or when somebody looks.
        #expect(try uses(fixture) == 1)
        #expect(try await handedOut(fixture) == ["1"])
        #expect(try logged(fixture).last?.requester == SessionWingTests.backup.requester)
        let shown = try await fixture.agent.sessions.perform(SessionVerbs.grants)
        #expect(shown.grants.first?.uses == 3)
        try await take(fixture)
        #expect(try uses(fixture) == 3)
        while try uses(fixture) != 4 {
            fixture.clock.pass(.seconds(10))
            try await Task.sleep(for: .milliseconds(2))
        }
        // A day later they are told of, whether the program asks again or not.
        fixture.clock.pass(.seconds(86400))
        try await fixture.unlock()
        while try fixture.sessions.store.countOfPendingNotes() == 0, try logged(fixture).count == 2 {
            fixture.clock.pass(.seconds(10))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try await handedOut(fixture) == ["1", "3"])
    }

    /// What was counted is written before the key goes.
    @Test(arguments: AgentFixture.Lock.allCases) func whatWasCountedIsNotLost(_ lock: AgentFixture.Lock) async throws {
        let fixture = try await opened()
        try await allow(fixture, .unlocked)
        for _ in 0..<5 { try await take(fixture) }
        try await fixture.lock(by: lock)
        #expect(try uses(fixture) == 5)
    }

    /// Also where the grant goes with its session.
    @Test func aLogoutTellsOfAllTokens() async throws {
        let fixture = try await opened()
        try await allow(fixture, .open)
        for _ in 0..<5 { try await take(fixture) }
        _ = try await fixture.agent.sessions.signOut(
            "fern", SignOutOptions(localOnly: true, browser: false), for: AgentFixture.person)
        #expect(try await handedOut(fixture) == ["1", "4"])
    }

    /// A token that could not be had is none.
    @Test func whatWasNotHandedOutIsNotCounted() async throws {
        let fixture = try await opened()
        // The session has no token of these scopes alone, and cannot get one.
        try await allow(fixture, .open, Scopes("mail"))
        let told = await failure {
            _ = try await fixture.agent.sessions.token(
                TokenRequest(target: "fern", try TokenTerms()),
                for: fixture.known(SessionWingTests.backup))
        }
        #expect(told != nil)
        #expect(try uses(fixture) == 0)
        #expect(try await handedOut(fixture).isEmpty)
    }

    /// The list needs the log's key.
    @Test func whileLockedNothingIsTold() async throws {
        let fixture = try await opened()
        try await fixture.lock(by: .command)
        #expect(await failure { _ = try await history(fixture) }?.kind == .locked)
    }

    /// Killed after the log had a note and before that was forgotten here, or after the commit and before the log had it.
    @Test(arguments: [true, false]) func aKillBetweenTheTables(_ hasIt: Bool) async throws {
        let fixture = try await opened()
        try await allow(fixture, .open)
        let sessions = try fixture.sessions
        let note = try #require(try sessions.store.pendingNotes().first)
        if hasIt { try fixture.log.record(note) }
        for _ in 0..<2 { #expect(try await history(fixture).map(\.event) == ["granted"]) }
        #expect(try fixture.log.verify() == .intact(events: 1))
    }
}

extension AgentFixture {
    /// The log of this home, as a command with the PIN has it.
    var log: SealedNotes { SealedNotes(SealedLog(database, sealer: vault)) }
}
