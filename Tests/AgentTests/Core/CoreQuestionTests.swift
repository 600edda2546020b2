@testable import Agent
import Authenticator
import Basics
import Pinentry
import Testing

/// The questions that the agent itself asks, and what it does with the answers.
@Suite(.timeLimit(.minutes(5))) struct CoreQuestionTests {
    // MARK: Answers

    @Test func theWholeCardComesFirstThenThePIN() async throws {
        let house = try await AgentHouse().unlock()
        let lines = (1...60).map { "Line \($0) of what you should read" }
        let card = try await house.ask("Pay 9.90 EUR", text: lines.joined(separator: "\n"))
        let frontEnd = AgentHouse.frontEnd
        house.screen.readsAll(thenTypes: MemoryGate.pin)
        #expect(try await house.approve(card, by: frontEnd).outcome == .confirmed)
        let pages = house.screen.asked.all.filter { $0.kind == .yesOrNo }.map(\.text)
        #expect(pages.count > 3 && house.screen.kinds.last == .pin)
        let shown = pages.joined(separator: "\n")
        var rest = shown[...]
        for word in ["Fingerprint: ", "bank.example", "Fern Bank", "Pay 9.90 EUR"] + lines {
            let found = try #require(rest.firstRange(of: word), "\(word)")
            rest = rest[found.upperBound...]
        }
        #expect(pages.allSatisfy { $0.hasPrefix("Approve request\nPage ") && $0.contains("front-end") })
        let question = try #require(house.screen.asked.all.last).text
        #expect(question.contains("Fingerprint: ") && question.contains("Title: Pay 9.90 EUR"))
        #expect(house.bank.decided == ["1": .approve])
        #expect(try house.lastDecision?.requester.commands == ["front-end"])
    }

    @Test func anOpenAgentAsksForThePINAllTheSame() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.screen.answers(.cancel)
        #expect(await failure { _ = try await house.approve(card) }?.kind == .cancelled)
        #expect(house.screen.kinds == [.yesOrNo] && house.bank.sent == 0)
    }

    @Test func aWrongPINIsAskedForAgainWithTheTriesLeft() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.screen.answers(.yes, .typed(MemoryGate.wrong), .typed(MemoryGate.pin))
        #expect(try await house.agent.approvals.review(house.key(card.id.line)))
        #expect(house.screen.kinds == [.yesOrNo, .pin, .pin])
        #expect(house.screen.asked.all.map(\.error) == [nil, nil, "wrong PIN; 8 tries are left"])
        #expect(house.bank.decided == ["1": .approve])
        #expect(try house.gate.status().triesLeft == 9)
        #expect(house.told == [.tell("Approved, confirmed by the bank", of: "bank-1:1", why: "")])
    }

    /// Desktops keep what notifications said.
    @Test(arguments: [true, false]) func aCodeStandsInAWindowAlone(_ isNotification: Bool) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.code = .text(BankText("07-11"), message: BankText("type it at the till")) }
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        if isNotification {
            #expect(try await house.agent.approvals.review(house.key(card.id.line)))
        } else {
            #expect(try await house.approve(card).code == "07-11")
        }
        #expect(house.screen.kinds == [.yesOrNo, .pin] + (isNotification ? [.message] : []))
        #expect(
            house.screen.asked.all.last?.text.contains("07-11\ntype it at the till") == isNotification)
        #expect(house.told == [.tell("Approved, confirmed by the bank", of: "bank-1:1", why: "")])
    }

    @Test(arguments: [true, false]) func oneQuestionTakesThreeWrongPINs(_ isUnlock: Bool) async throws {
        let house = try await AgentHouse()
        let wrong = ScriptedScreen.Answer.typed(MemoryGate.wrong)
        let refusal: Failure?
        if isUnlock {
            house.screen.answers(wrong, wrong, wrong, .typed(MemoryGate.pin))
            refusal = await failure {
                _ = try await house.agent.unlock(nil, from: .person, for: AgentHouse.frontEnd)
            }
            #expect(try await house.state == .shut)
        } else {
            let card = try await house.unlock().ask()
            house.screen.answers(.yes, wrong, wrong, wrong, .typed(MemoryGate.pin))
            refusal = await failure { _ = try await house.approve(card) }
        }
        #expect(refusal?.message == "wrong PIN; 6 tries are left")
        #expect(house.screen.kinds.filter { $0 == .pin }.count == 3)
        #expect(house.bank.sent == 0)
    }

    @Test func theLastTryIsWarnedOf() async throws {
        let house = try await AgentHouse()
        house.gate.state.withLock { $0.triesLeft = 1 }
        house.screen.answers(.cancel)
        _ = await failure { _ = try await house.agent.unlock(nil, from: .person, for: AgentHouse.frontEnd) }
        #expect(try #require(house.screen.asked.all.first?.error).contains("the last try"))
    }

    @Test func thePersonUnlocksByTheAgentsOwnQuestion() async throws {
        let house = try await AgentHouse().unlock()
        _ = try await house.ask()
        await house.agent.core.screenLocked()
        house.screen.answers(.cancel)
        #expect(await failure { try await house.agent.approvals.unlockForNotification() }?.kind == .cancelled)
        #expect(try await house.state == .hidden)
        house.screen.answers(.typed(MemoryGate.wrong), .typed(MemoryGate.pin))
        try await house.agent.approvals.unlockForNotification()
        #expect(try await house.state == .open)
        let question = try #require(house.screen.asked.all.last)
        #expect(question.error == "wrong PIN; 8 tries are left")
        #expect(
            question.text.hasPrefix(
                "Unlock Countersign\nEnter your PIN to open your bank connections\nAsked by process "))
        #expect(question.text.contains("a desktop notification"))
    }

    static let cancelling: [[ScriptedScreen.Answer]] = [
        [.no], [.cancel], [.yes, .cancel], [.yes, .typed("")], [.yes, .typed(MemoryGate.wrong), .cancel],
    ]

    @Test(arguments: cancelling) func cancellingSendsNothing(_ answers: [ScriptedScreen.Answer]) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.screen.script(answers)
        let key = house.key(card.id.line)
        #expect(await failure { _ = try await house.agent.approvals.review(key) }?.kind == .cancelled)
        #expect(house.screen.asked.count == answers.count)
        // Nobody is told of the cancellation.
        #expect(house.bank.sent == 0 && house.told == [])
        // The question can be asked again.
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.agent.approvals.review(key))
        #expect(house.bank.decided == ["1": .approve])
    }

    static let faults: [PinentryError] = [
        PinentryError(.ended, "the pinentry ended before it answered"),
        PinentryError(.malformed, "the pinentry does not speak its protocol"),
        PinentryError(.unanswered, "nobody answered the pinentry"),
        PinentryError(.refused, "the pinentry could not ask"),
    ]

    @Test(arguments: faults, AgentHouse.Step.allCases) func aQuestionThatFailsApprovesNothing(
        _ fault: PinentryError, _ step: AgentHouse.Step
    )
        async throws
    {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.screen.script(step.answers.dropLast() + [.failure(fault)])
        let refusal = await failure { _ = try await house.approve(card) }
        #expect(refusal?.kind == .locked && refusal?.message == fault.reason)
        #expect(
            house.told == [
                .tell("Countersign could not do that", of: "bank-1:1", why: "\(fault.reason); countersign unlock")
            ])
        #expect(try house.gate.status().triesLeft == 9)
        #expect(try await house.state == .open)
        #expect(house.bank.sent == 0)
    }

    @Test func aDecisionFailsIfNobodyCanBeAsked() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.screen.isThere.withLock { $0 = false }
        for caller in [AgentHouse.frontEnd, AgentHouse.script] {
            let refusal = await failure { _ = try await house.approve(card, by: caller) }
            #expect(refusal?.message == "the PIN is needed, and there is nowhere to ask for it")
            #expect(refusal?.hint == "countersign approve bank-1:1")
        }
        #expect(house.screen.asked.count == 0 && house.bank.sent == 0)
    }

    /// Its title would have to be typed, which the agent's windows do not offer.
    @Test func aCardWithOnlyATitleIsNotApprovedInAWindow() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask(text: "")
        let refusal = await failure { _ = try await house.approve(card) }
        #expect(try #require(refusal?.message).contains("its title must be typed"))
        #expect(refusal?.hint == "on a terminal: countersign approve bank-1:1")
        #expect(house.screen.asked.count == 0 && house.bank.sent == 0)
    }

    @Test func oneQuestionIsAskedAtATime() async throws {
        let house = try await AgentHouse().unlock()
        let (first, second) = (try await house.ask(), try await house.ask("Pay 5.00 EUR"))
        let asking = await house.asking(first, .card)
        for refusal in [
            await failure { _ = try await house.approve(second) },
            await failure { _ = try await house.approve(first) },
            await failure { _ = try await house.agent.unlock(nil, from: .person, for: AgentHouse.frontEnd) },
        ] {
            #expect(refusal?.kind == .locked && refusal?.message == "another question is being asked")
        }
        #expect(house.screen.asked.count == 1)
        #expect(await house.agent.approvals.giveUp(first.reference))
        #expect(await asking.value?.kind == .cancelled)
        // The next question can be asked.
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.approve(second).outcome == .confirmed)
        #expect(house.bank.decided == ["2": .approve])
    }

    // MARK: The same again

    @Test func approvingTheSameAgainTakesTheTypedTitle() async throws {
        let house = try await AgentHouse().unlock()
        let first = try await house.ask()
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        _ = try await house.approve(first)
        let again = try await house.ask()
        house.screen.answers(.yes, .typed("Pay 99.00 EUR"), .typed(MemoryGate.pin))
        let refusal = await failure { _ = try await house.approve(again) }
        #expect(refusal?.kind == .cancelled && refusal?.message == "that is not the title; nothing was sent")
        house.screen.answers(.yes, .typed("pay  9.90 eur"), .typed(MemoryGate.pin))
        #expect(try await house.approve(again).outcome == .confirmed)
        #expect(
            try #require(house.screen.asked.all.dropLast().last).text
                .hasPrefix("Type the title to approve the same again\n"))
        // Also after a lock, but not after ten minutes.
        _ = try await house.agent.lock()
        try await house.unlock()
        let third = try await house.ask()
        let asking = await house.asking(third, .pin)
        #expect(try #require(house.screen.asked.all.last).text.hasPrefix("Type the title"))
        await house.agent.core.screenLocked()
        #expect(await asking.value?.kind == .cancelled)
        house.clock.pass(.seconds(601))
        try await house.unlock()
        let fourth = try await house.ask()
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.approve(fourth).outcome == .confirmed)
    }

    /// The log knows what was approved by another command, or before this agent began.
    @Test func anApprovalFromTheLogCountsAsTheSameToo() async throws {
        let house = try await AgentHouse()
        let first = try await house.unlock().ask()
        _ = try await house.approveWithPIN(first)
        let other = try await house.another().unlock()
        let again = try await other.ask()
        other.screen.answers(.yes, .typed("no"))
        #expect(await failure { _ = try await other.approve(again) }?.kind == .cancelled)
        #expect(try #require(other.screen.asked.all.last).text.hasPrefix("Type the title"))
        #expect(house.bank.sent == 1)
    }

    // MARK: Denials

    @Test func denyingTakesNoPIN() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        #expect(
            try await house.agent.approvals.deny(house.key(card.id.line), showing: card.fingerprint.hex))
        #expect(house.screen.asked.count == 0 && house.bank.decided == ["1": .deny])
        #expect(house.told == [.tell("Denied", of: "bank-1:1", why: "")])
    }

    @Test func aDenialThatCouldPassAsAnApprovalTakesThePINAfterTheCard() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask(needsPIN: true)
        #expect(await failure { _ = try await house.deny(card, by: AgentHouse.script) }?.kind == .locked)
        #expect(house.screen.asked.count == 0)
        house.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await house.deny(card).outcome == .denied)
        #expect(house.screen.kinds == [.yesOrNo, .pin])
        #expect(house.screen.asked.all.allSatisfy { $0.text.hasPrefix("Deny request\n") })
        #expect(house.bank.decided == ["1": .deny])
    }

    /// A note may be pressed while its replacement is under way.
    @Test func denyIsRefusedIfTheNoteShowedOtherContent() async throws {
        let house = try await AgentHouse().unlock()
        let old = try await house.ask()
        let new = try await house.ask("Pay 990 EUR", id: old.id.line)
        let key = house.key(old.id.line)
        let refusal = await failure {
            _ = try await house.agent.approvals.deny(key, showing: old.fingerprint.hex)
        }
        #expect(refusal?.kind == .changed && house.bank.sent == 0)
        #expect(try await house.agent.approvals.deny(key, showing: new.fingerprint.hex))
        #expect(house.bank.sent == 1)
    }
}
