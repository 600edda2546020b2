@testable import Agent
import Basics
import LocalSocket
import SessionModel
import Sessions
import Testing

/// Programs that ask and ask, and a person who does not answer.
@Suite(.timeLimit(.minutes(5))) struct UnansweredNoteTests {
    private static let backup = SessionWingTests.backup

    private func opened() async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        fixture.programs.set(PeerProgram(.unit, "mail.service"), of: "front-end")
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private func ask(_ fixture: AgentFixture, _ scopes: String? = nil, for caller: CallerContext = backup) async throws
    {
        let told = await failure {
            let request = TokenRequest(
                target: "fern", aim: TokenAim(scopes: scopes.flatMap { Scopes($0) }), try TokenTerms())
            _ = try await fixture.agent.sessions.token(request, for: fixture.known(caller))
        }
        #expect(told?.kind == .locked)
    }

    private func listed(_ fixture: AgentFixture) async throws -> [String] {
        try await fixture.agent.sessions.programRequests(for: AgentFixture.person).requests.map(\.program.text)
    }

    /// The person does nothing until the request is over.
    private func leave(_ fixture: AgentFixture) async throws {
        fixture.clock.pass(ProgramRequests.life)
        #expect(try await listed(fixture) == [])
    }

    /// Three requests, each of which the desktop is told of and nobody answers.
    private func tired() async throws -> AgentFixture {
        let fixture = try await opened()
        for number in 1...3 {
            try await ask(fixture)
            #expect(fixture.asked.count == number)
            try await leave(fixture)
        }
        return fixture
    }

    @Test func threeThatNobodyAnswersAreEnough() async throws {
        let fixture = try await tired()
        for _ in 1...3 {
            try await ask(fixture)
            #expect(try await listed(fixture) == ["unit:backup.service"])
            try await leave(fixture)
        }
        #expect(fixture.asked.count == 3)
        // Another program is told of.
        try await ask(fixture, for: AgentFixture.frontEnd)
        #expect(fixture.asked.all.last?.program.text == "unit:mail.service")
    }

    @Test(arguments: [true, false]) func thePINMakesNoteOfItAgain(_ isLocked: Bool) async throws {
        let fixture = try await tired()
        if isLocked { try await fixture.lock(by: .command) }
        try await fixture.unlock()
        try await ask(fixture)
        #expect(fixture.asked.count == 4)
    }

    /// Also one that was typed for something else.
    @Test func aPINForAGrantMakesNoteOfItAgain() async throws {
        let fixture = try await tired()
        try await ask(fixture, for: AgentFixture.frontEnd)
        _ = try await fixture.agent.sessions.allow(
            try #require(fixture.asked.all.last).id, try AllowOptions(), pin: try MemoryGate.secret(), from: .person,
            for: AgentFixture.person)
        try await ask(fixture)
        #expect(fixture.asked.count == 5)
    }

    @Test func aWrongPINIsNone() async throws {
        let fixture = try await tired()
        try await ask(fixture)
        let id = try #require(
            try await fixture.agent.sessions.programRequests(for: AgentFixture.person).requests.first
        ).id
        let wrong = await failure {
            _ = try await fixture.agent.sessions.allow(
                id, try AllowOptions(), pin: try MemoryGate.secret(MemoryGate.wrong), from: .person,
                for: AgentFixture.person)
        }
        #expect(wrong != nil)
        try await leave(fixture)
        try await ask(fixture)
        #expect(fixture.asked.count == 3)
    }

    /// Three in a row.
    @Test func anAnswerBeginsTheCountAnew() async throws {
        let fixture = try await opened()
        for _ in 1...2 {
            try await ask(fixture)
            try await leave(fixture)
        }
        try await ask(fixture)
        _ = try await fixture.agent.sessions.refuse(
            try #require(fixture.asked.all.last).id, for: AgentFixture.person)
        fixture.clock.pass(ProgramRequests.life)
        for number in 4...6 {
            try await ask(fixture)
            #expect(fixture.asked.count == number)
            try await leave(fixture)
        }
        try await ask(fixture)
        #expect(fixture.asked.count == 6)
    }

    /// One that came in place of another was not answered either; but only notes count, of which there is one a minute.
    @Test func onlyNotesCount() async throws {
        let fixture = try await opened()
        for _ in 1...5 { for scopes in ["openid", "mail"] { try await ask(fixture, scopes) } }
        #expect(fixture.asked.count == 1)
        for number in 2...3 {
            fixture.clock.pass(.seconds(60))
            try await ask(fixture, number == 2 ? "openid" : "mail")
            #expect(fixture.asked.count == number)
        }
        fixture.clock.pass(.seconds(60))
        try await ask(fixture, "openid")
        // Three notes have passed.
        #expect(fixture.asked.count == 3)
        #expect(try await listed(fixture) == ["unit:backup.service"])
    }

    /// Else a program could go on for ever.
    @Test func whatTheProgramTakesBackCounts() async throws {
        let fixture = try await opened()
        for number in 1...4 {
            try await ask(fixture)
            #expect(fixture.asked.count == min(number, 3))
            try await fixture.agent.sessions.revokeOwn(for: fixture.known(Self.backup))
            #expect(try await listed(fixture) == [])
            fixture.clock.pass(.seconds(60))
        }
    }
}
