@testable import Agent
import Authenticator
import Basics
import Testing

/// What opens the agent, what hides and what shuts it.
@Suite(.timeLimit(.minutes(5))) struct CoreLockTests {
    /// Without any request that would make it look at its clock.
    @Test func itLetsGoByItself() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        var events = await house.agent.events().makeAsyncIterator()
        #expect(try await events.next()?.card?.reference == card.reference)
        house.clock.pass(.seconds(300))
        #expect(await house.announcer.calls.until { $0.first { $0 == .hide(1) } } == .hide(1))
        #expect(try await house.state == .hidden)
        #expect(try await house.waiting == 1)
        house.clock.pass(.seconds(12 * 3600))
        #expect(await house.announcer.calls.until { $0.first { $0 == .hide(nil) } } == .hide(nil))
        #expect(try await house.state == .shut)
        #expect(try await house.waiting == nil)
    }
}
