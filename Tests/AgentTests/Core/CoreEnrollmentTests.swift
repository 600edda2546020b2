@testable import Agent
import Approvals
import Basics
import ApprovalModel
import Testing

/// Enrollments while the person is on the bank's page, and across a lock.
@Suite(.timeLimit(.minutes(5))) struct CoreEnrollmentTests {
    private static let returnURL = "http://127.0.0.1:4000/once"

    /// Begins to connect another bank, until the person is on its page. Returns the enrollment's id.
    private func enrolling(_ fixture: AgentFixture) async throws -> String {
        let opened = try await fixture.agent.approvals.beginEnrollment(
            .link(GivenLink("memory://bank.example/connect"), name: ConnectionName("other")), for: AgentFixture.person)
        #expect(try await fixture.agent.approvals.accept(opened.id, returnURL: Self.returnURL).page != nil)
        return opened.id
    }

    private func isOver(_ id: String, _ fixture: AgentFixture) async -> Bool {
        await failure { _ = try await fixture.agent.approvals.enrollment(id) } == Failure(EnrollmentError.outOfTurn)
    }

    private func names(_ fixture: AgentFixture) throws -> [String] { try fixture.connections().map(\.name.text) }

    /// Nobody touches the agent, since the person is on the bank's page.
    @Test func aBanksPageKeepsTheAgentOpen() async throws {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        fixture.pass(until: .seconds(20 * 60))
        #expect(try await fixture.state == .open)
        let verdict = try await fixture.agent.approvals.redirect(id, Self.returnURL + "?ok")
        #expect(verdict.connection?.name == "other")
        // The end of the page counts as use, and then nothing keeps the agent open.
        fixture.pass(until: .seconds(20 * 60 + 299))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(20 * 60 + 300))
        #expect(try await fixture.state == .hidden)
    }

    @Test func anEnrollmentThatEndsLetsTheAgentHide() async throws {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        fixture.pass(until: .seconds(400))
        await fixture.agent.approvals.endEnrollment(id)
        fixture.pass(until: .seconds(700))
        #expect(try await fixture.state == .hidden)
    }

    @Test func aForgottenPageDoesNotKeepItOpenForEver() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await enrolling(fixture)
        fixture.pass(until: .seconds(3600 + 300))
        #expect(try await fixture.state == .hidden)
    }

    /// Only the bank's page takes a person's time.
    @Test func anEnrollmentWithoutAPageKeepsNothingOpen() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.agent.approvals.beginEnrollment(
            .link(GivenLink("memory://bank.example/connect"), name: nil), for: AgentFixture.person)
        fixture.pass(until: .seconds(300))
        #expect(try await fixture.state == .hidden)
    }

    @Test func itGoesOnAfterThePIN() async throws {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        try await fixture.lock(by: .screen)
        // Nothing can be stored now.
        #expect(await failure { _ = try await fixture.agent.approvals.enrollment(id) }?.kind == .locked)
        #expect(try names(fixture) == ["bank-1"])
        try await fixture.unlock()
        let verdict = try await fixture.agent.approvals.redirect(id, Self.returnURL + "?ok")
        #expect(verdict.connection?.name == "other")
        #expect(try names(fixture) == ["bank-1", "other"])
        #expect(fixture.vault.contents.withLock { $0.secrets.count } == 2)
    }

    @Test(arguments: [AgentFixture.Lock.command, .leaving]) func shuttingAbandonsTheEnrollment(_ way: AgentFixture.Lock)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        let held = try await fixture.agent.approvals.enrollment(id)
        try await fixture.lock(by: way)
        try await fixture.unlock()
        #expect(await isOver(id, fixture))
        // Whoever still holds it can store nothing.
        await #expect(throws: (any Error).self) {
            guard let error = try await held.take(Self.returnURL + "?ok").error else { return }
            throw Failure(.refused, error.message)
        }
        #expect(try names(fixture) == ["bank-1"])
    }

    @Test func theEnrollmentIsAbandonedAfterTheLongestTime() async throws {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        fixture.pass(until: .seconds(3600 + 300))
        #expect(try await fixture.state == .hidden)
        fixture.pass(until: .seconds(12 * 3600))
        #expect(try await fixture.state == .shut)
        try await fixture.unlock()
        #expect(await isOver(id, fixture))
    }

    @Test func anEndedEnrollmentIsForgotten() async throws {
        let fixture = try await AgentFixture().unlock()
        let id = try await enrolling(fixture)
        await fixture.agent.approvals.endEnrollment(id)
        #expect(await isOver(id, fixture))
    }

    @Test func noEnrollmentBeginsWhileLocked() async throws {
        let fixture = try await AgentFixture()
        let refusal = await failure {
            _ = try await fixture.agent.approvals.beginEnrollment(
                .link(GivenLink("memory://bank.example/connect"), name: nil), for: AgentFixture.person)
        }
        #expect(refusal?.kind == .locked)
    }
}
