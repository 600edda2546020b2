@testable import Agent
import Authenticator
import Basics
import SCA
import Testing

/// Enrollments across a lock: the person may be on the bank's page for longer than the agent stays open.
@Suite(.timeLimit(.minutes(5))) struct CoreEnrollmentTests {
    private static let returnURL = "http://127.0.0.1:4000/once"

    /// Begins to connect another bank, until the person is on its page. Returns the enrollment's id.
    private func enrolling(_ house: AgentHouse) async throws -> String {
        let opened = try await house.agent.approvals.beginEnrollment(
            .link("memory://bank.example/connect", name: ConnectionName("other")), for: AgentHouse.person)
        let steps = try #require(try await house.agent.approvals.enrollment(opened.id))
        #expect(try await steps.accept(returnURL: Self.returnURL).page != nil)
        return opened.id
    }

    private func names(_ house: AgentHouse) throws -> [String] { try house.connections().map(\.name.text) }

    @Test(arguments: [AgentHouse.Lock.screen, .time]) func itGoesOnAfterThePIN(_ way: AgentHouse.Lock) async throws {
        let house = try await AgentHouse().unlock()
        let id = try await enrolling(house)
        try await house.lock(by: way)
        // Nothing can be stored now.
        #expect(await failure { _ = try await house.agent.approvals.enrollment(id) }?.kind == .locked)
        #expect(try names(house) == ["bank-1"])
        try await house.unlock()
        let steps = try #require(try await house.agent.approvals.enrollment(id))
        #expect(try await steps.take(Self.returnURL + "?ok").connection?.name == "other")
        #expect(try names(house) == ["bank-1", "other"])
        #expect(house.vault.contents.withLock { $0.secrets.count } == 2)
    }

    @Test(arguments: [AgentHouse.Lock.command, .leaving]) func shuttingAbandonsTheEnrollment(_ way: AgentHouse.Lock)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let id = try await enrolling(house)
        let steps = try #require(try await house.agent.approvals.enrollment(id))
        try await house.lock(by: way)
        try await house.unlock()
        #expect(try await house.agent.approvals.enrollment(id) == nil)
        // A front end that still holds the steps can store nothing.
        await #expect(throws: (any Error).self) {
            guard let error = try await steps.take(Self.returnURL + "?ok").error else { return }
            throw Failure(.refused, error.message)
        }
        #expect(try names(house) == ["bank-1"])
    }

    @Test func theEnrollmentIsAbandonedAfterTheLongestTime() async throws {
        let house = try await AgentHouse().unlock()
        let id = try await enrolling(house)
        house.pass(until: .seconds(300))
        #expect(try await house.state == .hidden)
        house.pass(until: .seconds(12 * 3600))
        #expect(try await house.state == .shut)
        try await house.unlock()
        #expect(try await house.agent.approvals.enrollment(id) == nil)
    }

    @Test func anEndedEnrollmentIsForgotten() async throws {
        let house = try await AgentHouse().unlock()
        let id = try await enrolling(house)
        await house.agent.approvals.endEnrollment(id)
        #expect(try await house.agent.approvals.enrollment(id) == nil)
    }

    @Test func noEnrollmentBeginsWhileLocked() async throws {
        let house = try await AgentHouse()
        let refusal = await failure {
            _ = try await house.agent.approvals.beginEnrollment(
                .link("memory://bank.example/connect", name: nil), for: AgentHouse.person)
        }
        #expect(refusal?.kind == .locked)
    }
}
