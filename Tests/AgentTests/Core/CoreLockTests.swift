@testable import Agent
import Approvals
import Basics
import Foundation
import ApprovalModel
import Cryptography
import Keys
import Synchronization
import TestSupport
import Testing

/// What opens, hides and shuts the agent, and what it does then.
@Suite(.timeLimit(.minutes(5))) struct CoreLockTests {
    // MARK: Hidden

    @Test func aLockedScreenHidesAllContentAndPollingGoesOn() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask("Pay 77.13 EUR")
        var events = await Watching(fixture)
        try await events.expect(.added)
        await fixture.agent.core.screenLocked()
        #expect(try await events.expect(.locked).card == nil)
        #expect(try await events.waiting() == 1)
        #expect(fixture.announcer.calls.all.last == .hide(1))
        let status = try await fixture.agent.status()
        #expect(status.locked && status.keysInMemory && status.waiting == 1)

        // Polling goes on, but only the number is told.
        try fixture.bank.ask("Pay 88.14 EUR", at: fixture.clock.now)
        try await fixture.poll(untilWaiting: 2)
        #expect(try await events.waiting() == 2)
        #expect(fixture.announcer.calls.all.last == .hide(2))
        fixture.bank.withdraw(card.id.line)
        try await fixture.poll(untilWaiting: 1)
        #expect(try await events.waiting() == 1)
        #expect(fixture.announcer.calls.all.last == .hide(1))

        // A new watcher learns no more.
        var later = await Watching(fixture)
        try await later.expect(.locked)
        #expect(try await later.waiting() == 1)
    }

    /// Nothing is shown or decided before the PIN, whoever asks.
    @Test(arguments: AgentFixture.Lock.allCases) func nothingIsServedWhileLocked(_ way: AgentFixture.Lock) async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        try await fixture.lock(by: way)
        let agent = fixture.agent
        for caller in [AgentFixture.person, AgentFixture.frontEnd, AgentFixture.script] {
            let refusals = [
                await failure { _ = try await agent.approvals.localOperations(for: caller) },
                await failure { _ = try await agent.approvals.known(nil) },
                await failure { try await agent.use(for: caller) },
                await failure { try await agent.demandOpen() },
                await failure { _ = try await fixture.approve(card, by: caller) },
                await failure { _ = try await fixture.approveWithPIN(card, by: caller) },
                await failure { _ = try await fixture.deny(card, by: caller) },
                await failure { _ = try await agent.approvals.beginEnrollment(.again("bank-1"), for: caller) },
            ]
            #expect(refusals.map { $0?.kind } == Array(repeating: .locked, count: refusals.count))
        }
        #expect(fixture.screen.asked.count == 0 && fixture.bank.sent == 0)
        #expect(try await fixture.state == way.state)
    }

    /// A button that was pressed as the screen locked belongs to content that is no longer shown.
    @Test(arguments: AgentFixture.Lock.allCases) func aButtonFromBeforeTheLockDoesNothing(_ way: AgentFixture.Lock)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        try await fixture.lock(by: way)
        let approvals = fixture.agent.approvals
        let key = fixture.key(card.id.line)
        let refusals = [
            await failure { _ = try await approvals.review(key) },
            await failure { _ = try await approvals.deny(key, showing: card.fingerprint.hex) },
        ]
        #expect(refusals.map { $0?.kind } == [.locked, .locked])
        #expect(fixture.screen.asked.count == 0 && fixture.bank.sent == 0)
    }

    /// Neither new requests are written, nor that a bank fails or no longer knows the connection, which is written
    /// while open.
    @Test func nothingIsWrittenWhileHidden() async throws {
        let fixture = try await AgentFixture(banks: 2).unlock()
        _ = try await fixture.ask()
        await fixture.agent.core.screenLocked()
        let before = try fixture.files()
        try fixture.bank.ask("Pay 5.00 EUR", at: fixture.clock.now)
        try await fixture.poll(untilWaiting: 2)
        fixture.banks[1].state.withLock { $0.listFault = BankError(.refused, "no") }
        let lists = fixture.banks[1].lists
        _ = try await fixture.polling { fixture.banks[1].lists > lists ? true : nil }
        fixture.bank.state.withLock { $0.listFault = BankError(.connectionGone, "who") }
        try await fixture.poll(untilWaiting: 0)
        #expect(try fixture.files() == before)
        #expect(try fixture.connections().map(\.status) == [.active, .active])
        // The first poll after the PIN finds out again.
        try await fixture.unlock()
        let statuses = try await fixture.polling {
            let statuses = try fixture.connections().map(\.status)
            return statuses == [.inactive, .active] ? statuses : nil
        }
        #expect(statuses.count == 2)
    }

    @Test(arguments: AgentFixture.Lock.allCases) func thePINOpensItAgain(_ way: AgentFixture.Lock) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        try await fixture.lock(by: way)
        try await events.expect(.locked)
        if way.state == .hidden { #expect(try await events.waiting() == 1) }
        try await fixture.unlock()
        try await events.expect(.unlocked)
        #expect(try await events.expect(.added).card?.reference == card.reference)
        #expect(try await fixture.cards.map(\.reference) == [card.reference])
        let calls = fixture.announcer.calls.all
        #expect(calls.contains(.unhide) && calls.last == .announce(fixture.key("1"), title: "Pay 9.90 EUR"))
    }

    @Test func thatNothingWaitsIsTold() async throws {
        let fixture = try await AgentFixture().unlock()
        let lists = fixture.bank.lists
        _ = try await fixture.polling { fixture.bank.lists > lists ? true : nil }
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.waiting == 0)
        #expect(fixture.announcer.calls.all.last == .hide(0))
    }

    // MARK: Shut

    @Test func aLockedScreenShutsIfPollingWhileLockedIsOff() async throws {
        let fixture = try await AgentFixture(limits: .init(pollsWhileLocked: false)).unlock()
        _ = try await fixture.ask()
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.state == .shut)
        #expect(fixture.announcer.calls.all.last == .shut(missesRequests: true))
        try await expectNoPolls(fixture)
    }

    @Test(arguments: [AgentFixture.Lock.command, .leaving], [false, true])
    func aShutAgentPollsNoBank(_ way: AgentFixture.Lock, _ isHiddenFirst: Bool) async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.ask()
        if isHiddenFirst { await fixture.agent.core.screenLocked() }
        try await fixture.lock(by: way)
        let status = try await fixture.agent.status()
        #expect(status.locked && !status.keysInMemory && status.waiting == nil)
        #expect(fixture.announcer.calls.all.last == .shut(missesRequests: true))
        try await expectNoPolls(fixture)
        // The machine wakes, which opens nothing and polls nobody.
        await fixture.agent.core.wakeUp()
        try await expectNoPolls(fixture)
        // Locking a shut agent succeeds too.
        #expect(try await fixture.agent.lock().locked)
        var events = await Watching(fixture)
        try await events.expect(.locked)
        try await fixture.unlock()
        try await events.expect(.unlocked)
        try await fixture.poll(untilWaiting: 1)
    }

    private func expectNoPolls(_ fixture: AgentFixture) async throws {
        try await fixture.untilQuiet()
        let lists = fixture.bank.lists
        fixture.clock.pass(.seconds(60))
        try await fixture.untilQuiet()
        #expect(fixture.bank.lists == lists)
    }

    @Test func itShutsWhenItsTaskIsCancelled() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        await fixture.end()
        #expect(try await fixture.state == .shut)
        #expect(fixture.announcer.calls.all.last == .shut(missesRequests: true))
        try await events.expect(.locked)
        #expect(try await events.next() == nil)
    }

    // MARK: The PIN

    @Test func wrongPINsOpenNothing() async throws {
        let fixture = try await AgentFixture()
        for left in [8, 7] {
            let refusal = await failure {
                _ = try await fixture.agent.unlock(
                    try MemoryGate.secret(MemoryGate.wrong), from: .person, for: AgentFixture.person)
            }
            #expect(refusal?.message == "wrong PIN; \(left) tries are left")
        }
        #expect(try await fixture.state == .shut)
        fixture.gate.state.withLock { ($0.pin, $0.id) = (nil, nil) }
        #expect(await failure { try await fixture.unlock() }?.message == "no PIN is set")
    }

    /// A lock that comes while the PIN is checked wins.
    @Test(arguments: [AgentFixture.Lock.screen, .command, .leaving]) func aPINTypedBeforeALockOpensNothing(
        _ way: AgentFixture.Lock
    ) async throws {
        let fixture = try await AgentFixture()
        let (checking, locked) = (Door(), DispatchSemaphore(value: 0))
        fixture.gate.state.withLock { state in
            state.whileOpening = {
                checking.unlock()
                locked.wait()
            }
        }
        let unlocking = Task { await failure { try await fixture.unlock() } }
        await checking.passes()
        switch way {
        case .screen: await fixture.agent.core.screenLocked()
        case .leaving: await fixture.agent.core.leaving()
        case .command, .time: _ = try await fixture.agent.lock()
        }
        locked.signal()
        #expect(await unlocking.value?.kind == .locked)
        #expect(try await fixture.state == .shut)
    }

    /// If the PIN is changed or removed, what the old one opened is shut.
    @Test(arguments: ["second", nil]) func changingThePINShutsIt(_ id: String?) async throws {
        for isHidden in [false, true] {
            let fixture = try await AgentFixture().unlock()
            _ = try await fixture.ask()
            if isHidden { await fixture.agent.core.screenLocked() }
            fixture.gate.state.withLock { $0.id = id }
            // Even if no request comes.
            fixture.clock.pass(.seconds(15))
            #expect(
                await fixture.announcer.calls.until { $0.first { $0 == .shut(missesRequests: true) } }
                    == .shut(missesRequests: true))
            #expect(try await fixture.state == .shut)
        }
    }

    @Test func aPINThatIsChangedWhileItIsCheckedOpensNothing() async throws {
        let fixture = try await AgentFixture()
        let gate = fixture.gate
        gate.state.withLock { $0.whileOpening = { gate.state.withLock { $0.id = "second" } } }
        #expect(await failure { try await fixture.unlock() }?.kind == Failure(PINError.changed).kind)
        #expect(try await fixture.state == .shut)
    }

    /// They are damaged, and named beside the good ones.
    @Test func rowsThatAVaultCannotOpenAreNamed() async throws {
        let fixture = try await AgentFixture()
        let other = try MemoryVault()
        try await fixture.agent.core.opened(other, by: "first", since: 0)
        #expect(try await fixture.state == .open)
        let round = try await fixture.agent.approvals.known(nil)
        #expect(round.authorizations.isEmpty && round.failures.map(\.kind) == [.damaged])
        #expect(round.failures.map(\.connection) == [nil])
    }
}
