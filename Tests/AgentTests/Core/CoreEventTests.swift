@testable import Agent
import Approvals
import Basics
import ApprovalModel
import Testing

/// The events for watchers and for the desktop while the agent is open.
@Suite(.timeLimit(.minutes(5))) struct CoreEventTests {
    @Test func newChangedAndRemovedRequestsAreTold() async throws {
        let fixture = try await AgentFixture().unlock()
        var events = await Watching(fixture)
        let card = try await fixture.ask()
        #expect(try await events.expect(.added).card?.fingerprint == card.fingerprint)
        let changed = try await fixture.ask("Pay 990 EUR", id: card.id.line)
        #expect(try await events.expect(.changed).card?.fingerprint == changed.fingerprint)
        fixture.bank.withdraw(card.id.line)
        try await fixture.poll(untilWaiting: 0)
        #expect(try await events.expect(.removed).card?.reference == card.reference)
        let key = fixture.key(card.id.line)
        #expect(
            fixture.announcer.calls.all == [
                .unhide, .announce(key, title: "Pay 9.90 EUR"), .announce(key, title: "Pay 990 EUR"), .retract(key),
            ])
    }

    @Test func aDecisionIsTold() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        _ = try await fixture.approveWithPIN(card)
        try await fixture.poll(untilWaiting: 0)
        guard case .decided(let decision) = try await events.expect(.decided).kind else { return }
        #expect(decision.ref == card.reference && decision.outcome == .confirmed)
        try await events.expect(.removed)
    }

    @Test func anExpiredRequestNoLongerWaits() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask(for: 60)
        // The bank no longer answers.
        fixture.bank.state.withLock { $0.listFault = BankError(.unreachable(), "no way") }
        fixture.pass(until: .seconds(70))
        #expect(try await fixture.waiting == 0)
        #expect(fixture.announcer.calls.all.last == .retract(fixture.key(card.id.line)))
    }

    @Test func aBankThatFailsAndAnswersAgainIsTold() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        fixture.bank.state.withLock { $0.listFault = BankError(.unreachable(), "no way") }
        let lists = fixture.bank.lists
        _ = try await fixture.polling { fixture.bank.lists > lists ? true : nil }
        guard case .failure(let failure) = try await events.expect(.failure).kind else { return }
        #expect(failure.connection == "bank-1" && failure.kind == .unreachable)
        // The request stays known; a new watcher learns of both.
        #expect(try await fixture.cards.map(\.reference) == [card.reference])
        var later = await Watching(fixture)
        try await later.expect(.added)
        try await later.expect(.failure)
        fixture.bank.state.withLock { $0.listFault = nil }
        _ = try await fixture.polling { fixture.bank.lists > lists + 1 ? true : nil }
        #expect(try await events.expect(.recovered).name == .recovered)
    }

    /// One bad item never hides the good ones, and a new watcher learns of it too.
    @Test func anUnreadableItemIsToldBesideTheOthers() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        fixture.bank.state.withLock { $0.faults = [ItemFault(id: BankID("7"), reason: "it cannot be opened")] }
        let lists = fixture.bank.lists
        _ = try await fixture.polling { fixture.bank.lists > lists ? true : nil }
        guard case .failure(let told) = try await events.expect(.failure).kind else { return }
        #expect(told.connection == "bank-1" && told.message.contains("left out"))
        var later = await Watching(fixture)
        #expect(try await later.expect(.added).card?.reference == card.reference)
        guard case .failure(let again) = try await later.expect(.failure).kind else { return }
        #expect(again == told)
    }

    /// While no request is known and not all banks have answered, the number is not known.
    @Test func theNumberThatWaitIsKnownWhenAllBanksHaveAnswered() async throws {
        let fixture = try await AgentFixture(banks: 2)
        fixture.banks[1].state.withLock { $0.listFault = BankError(.unreachable(), "no way") }
        try await fixture.unlock()
        _ = try await fixture.polling { fixture.bank.lists > 0 && fixture.banks[1].lists > 0 ? true : nil }
        #expect(try await fixture.agent.status().waiting == nil)
        fixture.banks[1].state.withLock { $0.listFault = nil }
        _ = try await fixture.polling { try await fixture.agent.status().waiting == 0 ? true : nil }
    }

    // MARK: Renaming

    private func rename(_ fixture: AgentFixture, _ name: String, _ new: String) async throws {
        let operations = try await fixture.agent.approvals.localOperations(for: AgentFixture.person)
        _ = try await operations.rename(name, to: try #require(ConnectionName(new)))
    }

    @Test func watchersLearnTheNewReference() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        var events = await Watching(fixture)
        try await events.expect(.added)
        try await rename(fixture, "bank-1", "treasury")
        guard case .removed(let removed, let new) = try await events.expect(.removed).kind else { return }
        #expect(removed.reference == "bank-1:1" && new == "treasury:1")
        let added = try #require(try await events.expect(.added).card)
        #expect(added.reference == "treasury:1" && added.fingerprint == card.fingerprint)
        // A new watcher learns it too.
        var later = await Watching(fixture)
        #expect(try await later.expect(.added).card?.reference == "treasury:1")
        // It was shown under the old reference, and is still the same request.
        let decision = try await fixture.deny(card)
        #expect(decision.ref == "treasury:1" && decision.error == nil)
        #expect(fixture.bank.decided == ["1": .deny])
    }

    /// The key stays the same, so the desktop's note still works. Approving the same again still takes more than the
    /// PIN.
    @Test func aNoteStillReviewsAndDeniesAfterARename() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.ask("Pay 1.00 EUR")
        try await rename(fixture, "bank-1", "treasury")
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.agent.approvals.review(fixture.key("1")))
        let second = try await fixture.ask("Pay 2.00 EUR")
        try await rename(fixture, "treasury", "vault")
        #expect(try await fixture.agent.approvals.deny(fixture.key("2"), showing: second.fingerprint.hex))
        #expect(fixture.bank.decided == ["1": .approve, "2": .deny])
        _ = try await fixture.ask("Pay 1.00 EUR")
        try await rename(fixture, "vault", "bank-1")
        fixture.screen.answers(.yes, .typed("Pay 1.00 EUR"), .typed(MemoryGate.pin))
        #expect(try await fixture.agent.approvals.review(fixture.key("3")))
        #expect(fixture.screen.kinds.suffix(3) == [.yesOrNo, .pin, .pin])
        #expect(
            fixture.told == [
                .tell("Approved, confirmed by the bank", of: "treasury:1", why: ""),
                .tell("Denied", of: "vault:2", why: ""),
                .tell("Approved, confirmed by the bank", of: "bank-1:3", why: ""),
            ])
    }

    @Test(arguments: [true, false]) func aNoteGoesWhenItsItemIsGone(_ isWithdrawn: Bool) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        try await rename(fixture, "bank-1", "treasury")
        if isWithdrawn { fixture.bank.withdraw(card.id.line) } else { _ = try await fixture.deny(card) }
        try await fixture.poll(untilWaiting: 0)
        #expect(
            fixture.announcer.calls.all.last { if case .retract = $0 { true } else { false } } == .retract("bank-1:1"))
    }

    /// Both banks count from 1, so after the swap each reference belongs to the other bank.
    @Test func swappedNamesNeverLeadToTheOtherBank() async throws {
        let fixture = try await AgentFixture(banks: 2).unlock()
        let here = try await fixture.ask("Pay here")
        try fixture.banks[1].ask("Pay there", at: fixture.clock.now)
        let there = try await fixture.polling { try await fixture.cards.first { $0.title.line == "Pay there" } }
        #expect(here.reference == "bank-1:1" && there.reference == "bank-2:1")
        for (name, new) in [("bank-1", "third"), ("bank-2", "bank-1"), ("third", "bank-2")] {
            try await rename(fixture, name, new)
        }
        let cards = try await fixture.cards
        #expect(cards.first { $0.fingerprint == here.fingerprint }?.reference == "bank-2:1")
        #expect(cards.first { $0.fingerprint == there.fingerprint }?.reference == "bank-1:1")
        // The reference belongs to another bank now, but what was shown counts.
        let decision = try await fixture.deny(here)
        #expect(decision.ref == "bank-2:1" && decision.error == nil)
        #expect(fixture.bank.decided == ["1": .deny] && fixture.banks[1].decided == [:])
        // A request is not decided under a reference under which it was never shown.
        var wrong = AgentFixture.request(there)
        wrong.ref = "third:1"
        let asked = wrong
        let refusal = await failure {
            _ = try await fixture.agent.approvals.decide(.deny, asked, for: AgentFixture.frontEnd)
        }
        #expect(refusal != nil && fixture.banks[1].sent == 0)
        #expect(try await fixture.agent.approvals.deny("bank-2:1", showing: there.fingerprint.hex))
        #expect(fixture.banks[1].decided == ["1": .deny] && fixture.bank.sent == 1)
    }
}
