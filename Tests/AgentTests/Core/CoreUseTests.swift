@testable import Agent
import Authenticator
import Basics
import Testing

/// What prolongs the unlock, and when it ends by itself.
@Suite(.timeLimit(.minutes(5))) struct CoreUseTests {
    /// Without any request that would make the agent look at its clock.
    @Test func itHidesAndShutsByItself() async throws {
        let house = try await AgentHouse().unlock()
        _ = try await house.ask()
        house.pass(until: .seconds(300))
        #expect(await house.announcer.calls.until { $0.first { $0 == .hide(1) } } == .hide(1))
        #expect(try await house.state == .hidden)
        house.clock.pass(.seconds(12 * 3600))
        #expect(await house.announcer.calls.until { $0.first { $0 == .hide(nil) } } == .hide(nil))
        #expect(try await house.state == .shut)
        #expect(try await house.waiting == nil)
    }

    @Test func useKeepsItOpenForFiveMinutes() async throws {
        let house = try await AgentHouse().unlock()
        let (first, second) = (try await house.ask(), try await house.ask("Pay 5.00 EUR"))
        // A person's request, whatever it is for.
        house.pass(until: .seconds(220))
        _ = try await house.agent.approvals.operations(for: AgentHouse.person)
        // A key.
        house.pass(until: .seconds(440))
        try await house.agent.use(for: AgentHouse.person)
        // The PIN, and a pressed button.
        house.pass(until: .seconds(660))
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.agent.approvals.review(house.key(first.id.line)))
        house.pass(until: .seconds(880))
        #expect(
            try await house.agent.approvals.deny(house.key(second.id.line), showing: second.fingerprint.hex))
        #expect(house.bank.decided == ["1": .approve, "2": .deny])
        house.pass(until: .seconds(1179))
        #expect(try await house.state == .open)
        house.pass(until: .seconds(1180))
        #expect(try await house.state == .hidden)
    }

    /// A person's PIN prolongs the unlock, whoever passes it on; so does a decision of a front end that has a person.
    @Test(arguments: [true, false]) func aDecisionOfAFrontEndProlongsTheUnlock(_ approves: Bool) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.pass(until: .seconds(200))
        if approves {
            _ = try await house.approveWithPIN(card, from: .person, by: AgentHouse.script)
        } else {
            _ = try await house.deny(card, by: AgentHouse.frontEnd)
        }
        house.pass(until: .seconds(499))
        #expect(try await house.state == .open)
        house.pass(until: .seconds(500))
        #expect(try await house.state == .hidden)
    }

    @Test func scriptsAndWatchersDoNotProlongTheUnlock() async throws {
        let house = try await AgentHouse().unlock()
        let (approved, denied) = (try await house.ask(), try await house.ask("Pay 5.00 EUR"))
        var events = await Watching(house)
        try await events.expect(.added)
        house.pass(until: .seconds(200))
        // A script's decision, even with the PIN from a file, is not the person's.
        #expect(try await house.approveWithPIN(approved).outcome == .confirmed)
        #expect(try await house.deny(denied, by: AgentHouse.script).outcome == .denied)
        for caller in [AgentHouse.script, AgentHouse.frontEnd] {
            let operations = try await house.agent.approvals.operations(for: caller)
            _ = try await operations.connections()
            _ = try await operations.pending(nil)
            try await house.agent.use(for: caller)
        }
        _ = try await house.agent.approvals.known(nil)
        _ = try await house.agent.status()
        _ = try await house.agent.handshake()
        house.pass(until: .seconds(299))
        #expect(try await house.state == .open)
        house.pass(until: .seconds(300))
        #expect(try await house.state == .hidden)
    }

    @Test func theLongestTimeShutsItDespiteUse() async throws {
        let house = try await AgentHouse(limits: .init(longest: .seconds(3600))).unlock()
        for seconds in stride(from: 240, to: 3600, by: 240) {
            house.pass(until: .seconds(seconds))
            try await house.agent.use(for: AgentHouse.person)
        }
        house.pass(until: .seconds(3599))
        #expect(try await house.state == .open)
        house.pass(until: .seconds(3600))
        #expect(try await house.state == .shut)
    }

    @Test func thePINRestartsBothLimits() async throws {
        let house = try await AgentHouse(limits: .init(idle: .seconds(120), longest: .seconds(3600))).unlock()
        house.pass(until: .seconds(3000))
        #expect(try await house.state == .hidden)
        try await house.unlock()
        house.pass(until: .seconds(3119))
        #expect(try await house.state == .open)
        house.pass(until: .seconds(3120))
        #expect(try await house.state == .hidden)
        house.pass(until: .seconds(6599))
        #expect(try await house.state == .hidden)
        house.pass(until: .seconds(6600))
        #expect(try await house.state == .shut)
    }

    /// Entering the PIN while open counts like a new unlock.
    @Test func thePINAgainProlongsTheUnlock() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.pass(until: .seconds(299))
        try await house.unlock()
        house.pass(until: .seconds(598))
        #expect(try await house.cards.map(\.reference) == [card.reference])
        house.pass(until: .seconds(599))
        #expect(try await house.state == .hidden)
    }
}
