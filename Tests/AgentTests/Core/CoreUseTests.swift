@testable import Agent
import Approvals
import Basics
import Testing

/// What prolongs the unlock, and when it ends by itself.
@Suite(.timeLimit(.minutes(5))) struct CoreUseTests {
    /// Without any request that would make the agent look at its clock.
    @Test func itHidesAndShutsByItself() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.ask()
        fixture.pass(until: .seconds(300))
        #expect(await fixture.announcer.calls.until { $0.first { $0 == .hide(1) } } == .hide(1))
        #expect(try await fixture.state == .hidden)
        fixture.clock.pass(.seconds(12 * 3600))
        #expect(
            await fixture.announcer.calls.until { $0.first { $0 == .shut(missesRequests: true) } }
                == .shut(missesRequests: true))
        #expect(try await fixture.state == .shut)
        #expect(try await fixture.waiting == nil)
    }

    @Test func useKeepsItOpenForFiveMinutes() async throws {
        let fixture = try await AgentFixture().unlock()
        let (first, second) = (try await fixture.ask(), try await fixture.ask("Pay 5.00 EUR"))
        // A person's request, whatever it is for.
        fixture.pass(until: .seconds(220))
        _ = try await fixture.agent.approvals.localOperations(for: AgentFixture.person)
        // A key.
        fixture.pass(until: .seconds(440))
        try await fixture.agent.use(for: AgentFixture.person)
        // The PIN, and a pressed button.
        fixture.pass(until: .seconds(660))
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.agent.approvals.review(fixture.key(first.id.line)))
        fixture.pass(until: .seconds(880))
        #expect(
            try await fixture.agent.approvals.deny(fixture.key(second.id.line), showing: second.fingerprint.hex))
        #expect(fixture.bank.decided == ["1": .approve, "2": .deny])
        fixture.pass(until: .seconds(1179))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(1180))
        #expect(try await fixture.state == .hidden)
    }

    /// A person's PIN prolongs the unlock, whoever passes it on; so does a decision of a front end that has a person.
    @Test(arguments: [true, false]) func aDecisionOfAFrontEndProlongsTheUnlock(_ approves: Bool) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.pass(until: .seconds(200))
        if approves {
            _ = try await fixture.approveWithPIN(card, from: .person, by: AgentFixture.script)
        } else {
            _ = try await fixture.deny(card, by: AgentFixture.frontEnd)
        }
        fixture.pass(until: .seconds(499))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(500))
        #expect(try await fixture.state == .hidden)
    }

    @Test func scriptsAndWatchersDoNotProlongTheUnlock() async throws {
        let fixture = try await AgentFixture().unlock()
        let (approved, denied) = (try await fixture.ask(), try await fixture.ask("Pay 5.00 EUR"))
        var events = await Watching(fixture)
        try await events.expect(.added)
        fixture.pass(until: .seconds(200))
        // A script's decision, even with the PIN from a file, is not the person's.
        #expect(try await fixture.approveWithPIN(approved).outcome == .confirmed)
        #expect(try await fixture.deny(denied, by: AgentFixture.script).outcome == .denied)
        for caller in [AgentFixture.script, AgentFixture.frontEnd] {
            let operations = try await fixture.agent.approvals.localOperations(for: caller)
            _ = try await operations.connections()
            _ = try await operations.pending(nil)
            try await fixture.agent.use(for: caller)
        }
        _ = try await fixture.agent.approvals.known(nil)
        _ = try await fixture.agent.status()
        _ = try await fixture.agent.handshake()
        fixture.pass(until: .seconds(299))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(300))
        #expect(try await fixture.state == .hidden)
    }

    @Test func theLongestTimeShutsItDespiteUse() async throws {
        let fixture = try await AgentFixture(limits: .init(longest: .seconds(3600))).unlock()
        for seconds in stride(from: 240, to: 3600, by: 240) {
            fixture.pass(until: .seconds(seconds))
            try await fixture.agent.use(for: AgentFixture.person)
        }
        fixture.pass(until: .seconds(3599))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(3600))
        #expect(try await fixture.state == .shut)
    }

    @Test func thePINRestartsBothLimits() async throws {
        let fixture = try await AgentFixture(limits: .init(idle: .seconds(120), longest: .seconds(3600))).unlock()
        fixture.pass(until: .seconds(3000))
        #expect(try await fixture.state == .hidden)
        try await fixture.unlock()
        fixture.pass(until: .seconds(3119))
        #expect(try await fixture.state == .open)
        fixture.pass(until: .seconds(3120))
        #expect(try await fixture.state == .hidden)
        fixture.pass(until: .seconds(6599))
        #expect(try await fixture.state == .hidden)
        fixture.pass(until: .seconds(6600))
        #expect(try await fixture.state == .shut)
    }

    /// Entering the PIN while open counts like a new unlock.
    @Test func thePINAgainProlongsTheUnlock() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.pass(until: .seconds(299))
        try await fixture.unlock()
        fixture.pass(until: .seconds(598))
        #expect(try await fixture.cards.map(\.reference) == [card.reference])
        fixture.pass(until: .seconds(599))
        #expect(try await fixture.state == .hidden)
    }
}
