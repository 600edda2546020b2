@testable import Agent
import Approvals
import Basics
import LocalSocket
import ApprovalModel
import Testing

/// Questions that end before they are answered: they leave the screen, and nothing is sent.
@Suite(.timeLimit(.minutes(5))) struct CoreQuestionEndTests {
    private static let windowClosed = "its window was closed; nothing was sent"

    @Test(arguments: AgentFixture.Step.allCases) func aWithdrawnRequestLeavesTheScreen(_ step: AgentFixture.Step)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, step)
        fixture.bank.withdraw(card.id.line)
        try await fixture.poll(untilWaiting: 0)
        #expect(await asking.value?.kind == .notFound)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
        #expect(fixture.told == [.tell("The bank withdrew the request", of: "bank-1:1", why: Self.windowClosed)])
    }

    @Test(arguments: AgentFixture.Step.allCases) func whatExpiresLeavesTheScreen(_ step: AgentFixture.Step) async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask(for: 60)
        let asking = await fixture.asking(card, step)
        fixture.pass(until: .seconds(70))
        #expect(await asking.value?.kind == .expired)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
        #expect(fixture.told == [.tell("The request expired", of: "bank-1:1", why: Self.windowClosed)])
    }

    @Test(arguments: AgentFixture.Step.allCases) func changedContentLeavesTheScreen(_ step: AgentFixture.Step)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, step)
        _ = try await fixture.ask("Pay 990 EUR", id: card.id.line)
        #expect(await asking.value?.kind == .changed)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
    }

    @Test func theQuestionForTheTitleEndsToo() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.approveWithPIN(try await fixture.ask())
        let again = try await fixture.ask()
        let asking = await fixture.asking(again, .pin)
        #expect(try #require(fixture.screen.asked.all.last).text.hasPrefix("Type the title"))
        fixture.bank.withdraw(again.id.line)
        try await fixture.poll(untilWaiting: 0)
        #expect(await asking.value?.kind == .notFound)
        #expect(fixture.bank.sent == 1)
    }

    /// The bank's list fails, so no poll reports the withdrawal: the agent asks for this request alone.
    @Test func aRequestThatNoPollBroughtLeavesTheScreenToo() async throws {
        let fixture = try await AgentFixture().unlock()
        fixture.bank.state.withLock { $0.listFault = BankError(.refused, "no list") }
        let id = try fixture.bank.ask(at: fixture.clock.now)
        let operations = try await fixture.agent.approvals.localOperations(for: AgentFixture.frontEnd)
        let card = try await operations.card("bank-1:\(id)", abbreviated: false, withSource: false)
        let asking = await fixture.asking(card, .card)
        fixture.bank.withdraw(id)
        _ = try await fixture.polling { fixture.screen.takenBack.count == 1 ? true : nil }
        #expect(await asking.value?.kind == .notFound)
        #expect(try await fixture.cards.isEmpty)
    }

    @Test(arguments: AgentFixture.Lock.allCases, AgentFixture.Step.allCases)
    func aQuestionWithContentLeavesWhenItLocks(_ way: AgentFixture.Lock, _ step: AgentFixture.Step) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, step)
        try await fixture.lock(by: way)
        #expect(await asking.value?.kind == .cancelled)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
        // Nobody is told of the cancellation, and the next question can be asked.
        #expect(fixture.told == [])
        fixture.screen.answers(.typed(MemoryGate.pin))
        _ = try await fixture.agent.unlock(nil, from: .person, for: AgentFixture.frontEnd)
        #expect(try await fixture.state == .open)
    }

    /// Also if no poll after the PIN has brought it yet: that it was listed before the lock says nothing now.
    @Test func aQuestionFromBeforeALockCanBeAskedAgain() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, .card)
        try await fixture.lock(by: .command)
        #expect(await asking.value?.kind == .cancelled)
        fixture.bank.state.withLock { $0.listFault = BankError(.refused, "no list") }
        try await fixture.unlock()
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.approve(card).outcome == .confirmed)
        #expect(try await fixture.cards.isEmpty)
    }

    @Test(arguments: AgentFixture.Step.allCases) func aQuestionLeavesWhenTheAgentEnds(_ step: AgentFixture.Step)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, step)
        await fixture.drain()
        #expect(await asking.value?.kind == .cancelled)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
        // No other question comes.
        #expect(await failure { _ = try await fixture.approve(card) }?.kind == .cancelled)
        #expect(fixture.screen.asked.count == step.kinds.count)
    }

    @Test(arguments: AgentFixture.Step.allCases) func cancellingACallTakesItsQuestionAway(_ step: AgentFixture.Step)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let asking = await fixture.asking(card, step)
        asking.cancel()
        #expect(await asking.value?.kind == .cancelled)
        #expect(fixture.screen.takenBack.all == [step.kinds.last] && fixture.bank.sent == 0)
    }

    @Test func aCallerThatHasLeftIsNotAsked() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let presence = Presence()
        let caller = CallerContext(
            requester: AgentFixture.frontEnd.requester, isOwnProgram: false, isPerson: false, presence: presence)
        // The caller leaves while the card is shown, so the PIN is not asked for.
        fixture.screen.whenAsked.withLock { $0 = { presence.leave() } }
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(await failure { _ = try await fixture.approve(card, by: caller) }?.kind == .cancelled)
        #expect(fixture.screen.asked.count == 1)
        #expect(await failure { _ = try await fixture.approve(card, by: caller) }?.kind == .cancelled)
        #expect(fixture.screen.asked.count == 1 && fixture.bank.sent == 0)
    }

    /// A PIN that is typed for a caller that left meanwhile is not checked.
    @Test func aPINForACallerThatLeftIsNotUsed() async throws {
        let fixture = try await AgentFixture()
        let presence = Presence()
        let caller = CallerContext(
            requester: AgentFixture.frontEnd.requester, isOwnProgram: false, isPerson: false, presence: presence)
        fixture.screen.whenAsked.withLock { $0 = { presence.leave() } }
        fixture.screen.answers(.typed(MemoryGate.wrong))
        #expect(
            await failure { _ = try await fixture.agent.unlock(nil, from: .person, for: caller) }?.kind == .cancelled)
        #expect(try fixture.gate.status().triesLeft == 9)
        #expect(try await fixture.state == .shut)
    }
}
