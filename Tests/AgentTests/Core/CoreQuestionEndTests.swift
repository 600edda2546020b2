@testable import Agent
import Authenticator
import Basics
import LocalSocket
import SCA
import Testing

/// Questions that are over before they are answered: they leave the screen, and nothing is sent.
@Suite(.timeLimit(.minutes(5))) struct CoreQuestionEndTests {
    private static let windowClosed = "its window was closed; nothing was sent"

    @Test(arguments: AgentHouse.Step.allCases) func whatTheBankWithdrawsLeavesTheScreen(_ step: AgentHouse.Step)
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

    @Test(arguments: AgentHouse.Step.allCases) func anotherContentLeavesTheScreen(_ step: AgentHouse.Step) async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        _ = try await house.ask("Pay 990 EUR", id: card.id.line)
        #expect(await asking.value?.kind == .changed)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
    }

    @Test func typingTheTitleEndsToo() async throws {
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

    /// The bank's list fails, so no poll tells of it: the bank is asked for it by itself.
    @Test func whatNoPollHasBroughtLeavesTheScreenToo() async throws {
        let house = try await AgentHouse().unlock()
        house.bank.state.withLock { $0.listFault = BankError(.refused, "no list") }
        let id = try house.bank.ask(at: house.clock.now)
        let operations = try await house.agent.operations(for: AgentHouse.frontEnd)
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
        // Nobody is told that he cancelled, and the next question can be asked.
        #expect(house.told == [])
        house.screen.answers(.typed(MemoryGate.pin))
        _ = try await house.agent.unlock(nil, from: .person, for: AgentHouse.frontEnd)
        #expect(try await house.state == .open)
    }

    /// Also where no poll after the PIN has brought it yet: that it was listed before says nothing now.
    @Test func whatWasAskedAboutBeforeALockCanBeAskedAboutAgain() async throws {
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
        // No other comes.
        #expect(await failure { _ = try await house.approve(card) }?.kind == .cancelled)
        #expect(house.screen.asked.count == step.kinds.count)
    }

    @Test(arguments: AgentHouse.Step.allCases) func whoAsksAndIsGivenUpTakesTheQuestionAlong(_ step: AgentHouse.Step)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let asking = await house.asking(card, step)
        asking.cancel()
        #expect(await asking.value?.kind == .cancelled)
        #expect(house.screen.takenBack.all == [step.kinds.last] && house.bank.sent == 0)
    }

    @Test func whoHasLeftIsNotAsked() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let presence = Presence()
        let caller = CallerContext(
            requester: AgentHouse.frontEnd.requester, isOwnProgram: false, isPerson: false, presence: presence)
        // While the card stood there: the PIN is not asked for any more.
        house.screen.whenAsked.withLock { $0 = { presence.leave() } }
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(await failure { _ = try await house.approve(card, by: caller) }?.kind == .cancelled)
        #expect(house.screen.asked.count == 1)
        #expect(await failure { _ = try await house.approve(card, by: caller) }?.kind == .cancelled)
        #expect(house.screen.asked.count == 1 && house.bank.sent == 0)
    }

    /// The PIN that is typed for somebody who left meanwhile counts for nothing.
    @Test func aPINForSomebodyWhoLeftIsNotUsed() async throws {
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
