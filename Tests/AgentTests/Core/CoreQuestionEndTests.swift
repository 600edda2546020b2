@testable import Agent
import Authenticator
import Basics
import LocalSocket
import SCA
import Testing

/// Questions that end before they are answered: they leave the screen, and nothing is sent.
@Suite(.timeLimit(.minutes(5))) struct CoreQuestionEndTests {
    private static let windowClosed = "its window was closed; nothing was sent"

    @Test(arguments: AgentHouse.Step.allCases) func aWithdrawnRequestLeavesTheScreen(_ step: AgentHouse.Step)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        house.bank.withdraw(card.id.line)
        try await house.poll(untilWaiting: 0)
        #expect(await asking.value?.kind == .notFound)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
        #expect(house.told == [.tell("The bank withdrew the request", of: "bank-1:1", why: Self.windowClosed)])
    }

    @Test(arguments: AgentHouse.Step.allCases) func whatExpiresLeavesTheScreen(_ step: AgentHouse.Step) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask(for: 60)
        let asking = await house.asking(card, step)
        house.pass(until: .seconds(70))
        #expect(await asking.value?.kind == .expired)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
        #expect(house.told == [.tell("The request expired", of: "bank-1:1", why: Self.windowClosed)])
    }

    @Test(arguments: AgentHouse.Step.allCases) func changedContentLeavesTheScreen(_ step: AgentHouse.Step) async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        _ = try await house.ask("Pay 990 EUR", id: card.id.line)
        #expect(await asking.value?.kind == .changed)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
    }

    @Test func theQuestionForTheTitleEndsToo() async throws {
        let house = try await AgentHouse().unlock()
        _ = try await house.approveWithPIN(try await house.ask())
        let again = try await house.ask()
        let asking = await house.asking(again, .pin)
        #expect(try #require(house.screen.asked.all.last).text.hasPrefix("Type the title"))
        house.bank.withdraw(again.id.line)
        try await house.poll(untilWaiting: 0)
        #expect(await asking.value?.kind == .notFound)
        #expect(house.bank.sent == 1)
    }

    /// The bank's list fails, so no poll reports the withdrawal: the agent asks for this request alone.
    @Test func aRequestThatNoPollBroughtLeavesTheScreenToo() async throws {
        let house = try await AgentHouse().unlock()
        house.bank.state.withLock { $0.listFault = BankError(.refused, "no list") }
        let id = try house.bank.ask(at: house.clock.now)
        let operations = try await house.agent.approvals.operations(for: AgentHouse.frontEnd)
        let card = try await operations.card("bank-1:\(id)", abbreviated: false, withSource: false)
        let asking = await house.asking(card, .card)
        house.bank.withdraw(id)
        _ = try await house.polling { house.screen.takenBack.count == 1 ? true : nil }
        #expect(await asking.value?.kind == .notFound)
        #expect(try await house.cards.isEmpty)
    }

    @Test(arguments: AgentHouse.Lock.allCases, AgentHouse.Step.allCases)
    func aQuestionWithContentLeavesWhenItLocks(_ way: AgentHouse.Lock, _ step: AgentHouse.Step) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        try await house.lock(by: way)
        #expect(await asking.value?.kind == .cancelled)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
        // Nobody is told of the cancellation, and the next question can be asked.
        #expect(house.told == [])
        house.screen.answers(.typed(MemoryGate.pin))
        _ = try await house.agent.unlock(nil, from: .person, for: AgentHouse.frontEnd)
        #expect(try await house.state == .open)
    }

    /// Also if no poll after the PIN has brought it yet: that it was listed before the lock says nothing now.
    @Test func aQuestionFromBeforeALockCanBeAskedAgain() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, .card)
        try await house.lock(by: .command)
        #expect(await asking.value?.kind == .cancelled)
        house.bank.state.withLock { $0.listFault = BankError(.refused, "no list") }
        try await house.unlock()
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.approve(card).outcome == .confirmed)
        #expect(try await house.cards.isEmpty)
    }

    @Test(arguments: AgentHouse.Step.allCases) func aQuestionLeavesWhenTheAgentEnds(_ step: AgentHouse.Step)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        await house.drain()
        #expect(await asking.value?.kind == .cancelled)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
        // No other question comes.
        #expect(await failure { _ = try await house.approve(card) }?.kind == .cancelled)
        #expect(house.screen.asked.count == step.kinds.count)
    }

    @Test(arguments: AgentHouse.Step.allCases) func cancellingACallTakesItsQuestionAway(_ step: AgentHouse.Step)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        asking.cancel()
        #expect(await asking.value?.kind == .cancelled)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
    }

    @Test func aCallerThatHasLeftIsNotAsked() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let presence = Presence()
        let caller = CallerContext(
            requester: AgentHouse.frontEnd.requester, isOwnProgram: false, isPerson: false, presence: presence)
        // The caller leaves while the card is shown, so the PIN is not asked for.
        house.screen.whenAsked.withLock { $0 = { presence.leave() } }
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(await failure { _ = try await house.approve(card, by: caller) }?.kind == .cancelled)
        #expect(house.screen.asked.count == 1)
        #expect(await failure { _ = try await house.approve(card, by: caller) }?.kind == .cancelled)
        #expect(house.screen.asked.count == 1 && house.bank.sent == 0)
    }

    /// A PIN that is typed for a caller that left meanwhile is not checked.
    @Test func aPINForACallerThatLeftIsNotUsed() async throws {
        let house = try await AgentHouse()
        let presence = Presence()
        let caller = CallerContext(
            requester: AgentHouse.frontEnd.requester, isOwnProgram: false, isPerson: false, presence: presence)
        house.screen.whenAsked.withLock { $0 = { presence.leave() } }
        house.screen.answers(.typed(MemoryGate.wrong))
        #expect(
            await failure { _ = try await house.agent.unlock(nil, from: .person, for: caller) }?.kind == .cancelled)
        #expect(try house.gate.status().triesLeft == 9)
        #expect(try await house.state == .shut)
    }
}
