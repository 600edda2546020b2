@testable import Agent
import Authenticator
import Basics
import Foundation
import SCA
import SCACrypto
import Synchronization
import TestSupport
import Testing

/// What opens, hides and shuts the agent, and what it does then.
@Suite(.timeLimit(.minutes(5))) struct CoreLockTests {
    // MARK: Hidden

    @Test func aLockedScreenHidesAllContentAndPollingGoesOn() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask("Pay 77.13 EUR")
        var events = await Watching(house)
        try await events.expect(.added)
        await house.agent.core.screenLocked()
        #expect(try await events.expect(.locked).card == nil)
        #expect(try await events.waiting() == 1)
        #expect(house.announcer.calls.all.last == .hide(1))
        let status = try await house.agent.status()
        #expect(status.locked && status.keysInMemory && status.waiting == 1)

        // Polling goes on, but only the number is told.
        try house.bank.ask("Pay 88.14 EUR", at: house.clock.now)
        try await house.poll(untilWaiting: 2)
        #expect(try await events.waiting() == 2)
        #expect(house.announcer.calls.all.last == .hide(2))
        house.bank.withdraw(card.id.line)
        try await house.poll(untilWaiting: 1)
        #expect(try await events.waiting() == 1)
        #expect(house.announcer.calls.all.last == .hide(1))

        // A new watcher learns no more.
        var later = await Watching(house)
        try await later.expect(.locked)
        #expect(try await later.waiting() == 1)
    }

    /// Nothing is shown or decided before the PIN, whoever asks.
    @Test(arguments: AgentHouse.Lock.allCases) func nothingIsServedWhileLocked(_ way: AgentHouse.Lock) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        try await house.lock(by: way)
        let agent = house.agent
        for caller in [AgentHouse.person, AgentHouse.frontEnd, AgentHouse.script] {
            let refusals = [
                await failure { _ = try await agent.approvals.operations(for: caller) },
                await failure { _ = try await agent.approvals.known(nil) },
                await failure { try await agent.use(for: caller) },
                await failure { try await agent.demandOpen() },
                await failure { _ = try await house.approve(card, by: caller) },
                await failure { _ = try await house.approveWithPIN(card, by: caller) },
                await failure { _ = try await house.deny(card, by: caller) },
                await failure { _ = try await agent.approvals.beginEnrollment(.again("bank-1"), for: caller) },
            ]
            #expect(refusals.map { $0?.kind } == Array(repeating: .locked, count: refusals.count))
        }
        #expect(house.screen.asked.count == 0 && house.bank.sent == 0)
        #expect(try await house.state == way.state)
    }

    /// A button that was pressed as the screen locked belongs to content that is no longer shown.
    @Test(arguments: AgentHouse.Lock.allCases) func aButtonFromBeforeTheLockDoesNothing(_ way: AgentHouse.Lock)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        try await house.lock(by: way)
        let approvals = house.agent.approvals
        let key = house.key(card.id.line)
        let refusals = [
            await failure { _ = try await approvals.review(key) },
            await failure { _ = try await approvals.deny(key, showing: card.fingerprint.hex) },
        ]
        #expect(refusals.map { $0?.kind } == [.locked, .locked])
        #expect(house.screen.asked.count == 0 && house.bank.sent == 0)
    }

    /// Neither new requests are written, nor that a bank fails or no longer knows the connection, which is written
    /// while open.
    @Test func nothingIsWrittenWhileHidden() async throws {
        let house = try await AgentHouse(banks: 2).unlock()
        _ = try await house.ask()
        await house.agent.core.screenLocked()
        let before = try house.files()
        try house.bank.ask("Pay 5.00 EUR", at: house.clock.now)
        try await house.poll(untilWaiting: 2)
        house.banks[1].state.withLock { $0.listFault = BankError(.refused, "no") }
        let lists = house.banks[1].lists
        _ = try await house.polling { house.banks[1].lists > lists ? true : nil }
        house.bank.state.withLock { $0.listFault = BankError(.connectionGone, "who") }
        try await house.poll(untilWaiting: 0)
        #expect(try house.files() == before)
        #expect(try house.connections().map(\.status) == [.active, .active])
        // The first poll after the PIN finds out again.
        try await house.unlock()
        let statuses = try await house.polling {
            let statuses = try house.connections().map(\.status)
            return statuses == [.inactive, .active] ? statuses : nil
        }
        #expect(statuses.count == 2)
    }

    @Test(arguments: AgentHouse.Lock.allCases) func thePINOpensItAgain(_ way: AgentHouse.Lock) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        var events = await Watching(house)
        try await events.expect(.added)
        try await house.lock(by: way)
        try await events.expect(.locked)
        if way.state == .hidden { #expect(try await events.waiting() == 1) }
        try await house.unlock()
        try await events.expect(.unlocked)
        #expect(try await events.expect(.added).card?.reference == card.reference)
        #expect(try await house.cards.map(\.reference) == [card.reference])
        let calls = house.announcer.calls.all
        #expect(calls.contains(.unhide) && calls.last == .announce(house.key("1"), title: "Pay 9.90 EUR"))
    }

    @Test func thatNothingWaitsIsTold() async throws {
        let house = try await AgentHouse().unlock()
        let lists = house.bank.lists
        _ = try await house.polling { house.bank.lists > lists ? true : nil }
        await house.agent.core.screenLocked()
        #expect(try await house.waiting == 0)
        #expect(house.announcer.calls.all.last == .hide(0))
    }

    // MARK: Shut

    @Test func aLockedScreenShutsIfPollingWhileLockedIsOff() async throws {
        let house = try await AgentHouse(limits: .init(pollsWhileLocked: false)).unlock()
        _ = try await house.ask()
        await house.agent.core.screenLocked()
        #expect(try await house.state == .shut)
        #expect(house.announcer.calls.all.last == .hide(nil))
        try await expectNoPolls(house)
    }

    @Test(arguments: [AgentHouse.Lock.command, .leaving], [false, true])
    func aShutAgentPollsNoBank(_ way: AgentHouse.Lock, _ isHiddenFirst: Bool) async throws {
        let house = try await AgentHouse().unlock()
        _ = try await house.ask()
        if isHiddenFirst { await house.agent.core.screenLocked() }
        try await house.lock(by: way)
        let status = try await house.agent.status()
        #expect(status.locked && !status.keysInMemory && status.waiting == nil)
        #expect(house.announcer.calls.all.last == .hide(nil))
        try await expectNoPolls(house)
        // The machine wakes, which opens nothing and polls nobody.
        await house.agent.core.wakeUp()
        try await expectNoPolls(house)
        // Locking a shut agent succeeds too.
        #expect(try await house.agent.lock().locked)
        var events = await Watching(house)
        try await events.expect(.locked)
        try await house.unlock()
        try await events.expect(.unlocked)
        try await house.poll(untilWaiting: 1)
    }

    private func expectNoPolls(_ house: AgentHouse) async throws {
        try await house.untilQuiet()
        let lists = house.bank.lists
        house.clock.pass(.seconds(60))
        try await house.untilQuiet()
        #expect(house.bank.lists == lists)
    }

    @Test func itShutsWhenItsTaskIsCancelled() async throws {
        let house = try await AgentHouse().unlock()
        _ = try await house.ask()
        var events = await Watching(house)
        try await events.expect(.added)
        await house.end()
        #expect(try await house.state == .shut)
        #expect(house.announcer.calls.all.last == .hide(nil))
        try await events.expect(.locked)
        #expect(try await events.next() == nil)
    }

    // MARK: The PIN

    @Test func wrongPINsOpenNothing() async throws {
        let house = try await AgentHouse()
        for left in [8, 7] {
            let refusal = await failure {
                _ = try await house.agent.unlock(
                    try MemoryGate.secret(MemoryGate.wrong), from: .person, for: AgentHouse.person)
            }
            #expect(refusal?.message == "wrong PIN; \(left) tries are left")
        }
        #expect(try await house.state == .shut)
        house.gate.state.withLock { ($0.pin, $0.id) = (nil, nil) }
        #expect(await failure { try await house.unlock() }?.message == "no PIN is set")
    }

    /// A lock that comes while the PIN is checked wins.
    @Test(arguments: [AgentHouse.Lock.screen, .command, .leaving]) func aPINTypedBeforeALockOpensNothing(
        _ way: AgentHouse.Lock
    ) async throws {
        let house = try await AgentHouse()
        let (checking, locked) = (Door(), DispatchSemaphore(value: 0))
        house.gate.state.withLock { state in
            state.whileOpening = {
                checking.unlock()
                locked.wait()
            }
        }
        let unlocking = Task { await failure { try await house.unlock() } }
        await checking.passes()
        switch way {
        case .screen: await house.agent.core.screenLocked()
        case .leaving: await house.agent.core.leaving()
        case .command, .time: _ = try await house.agent.lock()
        }
        locked.signal()
        #expect(await unlocking.value?.kind == .locked)
        #expect(try await house.state == .shut)
    }

    /// If the PIN is changed or removed, what the old one opened is shut.
    @Test(arguments: ["second", nil]) func changingThePINShutsIt(_ id: String?) async throws {
        for isHidden in [false, true] {
            let house = try await AgentHouse().unlock()
            _ = try await house.ask()
            if isHidden { await house.agent.core.screenLocked() }
            house.gate.state.withLock { $0.id = id }
            // Even if no request comes.
            house.clock.pass(.seconds(15))
            #expect(await house.announcer.calls.until { $0.first { $0 == .hide(nil) } } == .hide(nil))
            #expect(try await house.state == .shut)
        }
    }

    @Test func aPINThatIsChangedWhileItIsCheckedOpensNothing() async throws {
        let house = try await AgentHouse()
        let gate = house.gate
        gate.state.withLock { $0.whileOpening = { gate.state.withLock { $0.id = "second" } } }
        #expect(await failure { try await house.unlock() }?.kind == Failure(PINError(.changed)).kind)
        #expect(try await house.state == .shut)
    }

    /// The connections are read before anything is opened.
    @Test func aVaultThatCannotOpenTheRowsIsRefused() async throws {
        let house = try await AgentHouse()
        let other = try MemoryVault()
        await #expect(throws: (any Error).self) { try await house.agent.core.opened(other, by: "first", since: 0) }
        #expect(try await house.state == .shut)
        try await house.unlock()
        #expect(try await house.state == .open)
    }
}
