@testable import AgentWire
@testable import Agent
import Approvals
import Basics
import Keys
import Pinentry
import Testing

/// The questions that the agent itself asks, and what it does with the answers.
@Suite(.timeLimit(.minutes(5))) struct CoreQuestionTests {
    // MARK: Answers

    @Test func theWholeCardComesFirstThenThePIN() async throws {
        let fixture = try await AgentFixture().unlock()
        let lines = (1...60).map { "Line \($0) of what you should read" }
        let card = try await fixture.ask("Pay 9.90 EUR", text: lines.joined(separator: "\n"))
        let frontEnd = AgentFixture.frontEnd
        fixture.screen.readsAll(thenTypes: MemoryGate.pin)
        #expect(try await fixture.approve(card, by: frontEnd).outcome == .confirmed)
        let pages = fixture.screen.asked.all.filter { $0.kind == .yesOrNo }.map(\.text)
        #expect(pages.count > 3 && fixture.screen.kinds.last == .pin)
        let shown = pages.joined(separator: "\n")
        var rest = shown[...]
        for word in ["Pay 9.90 EUR"] + lines + ["Fern Bank", "bank.example", "front-end", "Fingerprint: "] {
            let found = try #require(rest.firstRange(of: word), "\(word)")
            rest = rest[found.upperBound...]
        }
        #expect(pages.allSatisfy { $0.hasPrefix("Approve request\nPage ") })
        let question = try #require(fixture.screen.asked.all.last).text
        #expect(question.contains("Fingerprint: ") && question.contains("Title: Pay 9.90 EUR"))
        #expect(fixture.bank.decided == ["1": .approve])
        #expect(try fixture.lastDecision?.requester.commands == ["front-end"])
    }

    @Test func anOpenAgentAsksForThePINAllTheSame() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.screen.answers(.cancel)
        #expect(await failure { _ = try await fixture.approve(card) }?.kind == .cancelled)
        #expect(fixture.screen.kinds == [.yesOrNo] && fixture.bank.sent == 0)
    }

    @Test func aWrongPINIsAskedForAgainWithTheTriesLeft() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.screen.answers(.yes, .typed(MemoryGate.wrong), .typed(MemoryGate.pin))
        #expect(try await fixture.agent.approvals.review(fixture.key(card.id.line)))
        #expect(fixture.screen.kinds == [.yesOrNo, .pin, .pin])
        #expect(fixture.screen.asked.all.map(\.error) == [nil, nil, "wrong PIN; 8 tries are left"])
        #expect(fixture.bank.decided == ["1": .approve])
        #expect(try fixture.gate.status().triesLeft == 9)
        #expect(fixture.told == [.tell("Approved, confirmed by the bank", of: "bank-1:1", why: "")])
    }

    /// Our own commands have asked the person already.
    @Test func anotherProgramNeedsAYesForWhatTakesNoPIN() async throws {
        let fixture = try await AgentFixture().unlock()
        let approvals = fixture.agent.approvals
        let change = "ends the connection bank-1"
        for own in [AgentFixture.person, AgentFixture.script] { try await approvals.demandYes(to: change, for: own) }
        #expect(fixture.screen.asked.count == 0)
        fixture.screen.answers(.yes, .no)
        // The person is asked where the person is, not where that program says.
        let elsewhere = CallerContext(
            requester: AgentFixture.frontEnd.requester, isOwnProgram: false, isPerson: false,
            prompt: PromptPlace(environment: ["DISPLAY": ":42"], tty: "/dev/pts/42"))
        try await approvals.demandYes(to: change, for: elsewhere)
        #expect(fixture.screen.places.all.last == [:])
        #expect(fixture.screen.asked.all.last?.text.contains("It ends the connection bank-1\n") == true)
        let refused = await failure { try await approvals.demandYes(to: change, for: AgentFixture.frontEnd) }
        #expect(refused?.kind == .cancelled)
        let silent = CallerContext(
            requester: AgentFixture.frontEnd.requester, isOwnProgram: false, isPerson: false, mayAsk: false)
        let unasked = await failure { try await approvals.demandYes(to: change, for: silent) }
        #expect(unasked?.kind == .locked)
        #expect(fixture.screen.asked.count == 2)
    }

    /// A script may stand behind the terminal that another program names.
    @Test(arguments: [(AgentFixture.person, PINSource.person), (AgentFixture.frontEnd, .file)])
    func aPINInAPlaceThatAnotherProgramNamesCountsLikeAScripts(_ caller: CallerContext, _ source: PINSource)
        async throws
    {
        let fixture = try await AgentFixture()
        fixture.screen.answers(.typed(MemoryGate.pin))
        try await fixture.agent.core.unlock(nil, from: .person, for: caller)
        #expect(fixture.gate.state.withLock { $0.sources } == [source])
        let card = try await fixture.ask()
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        _ = try await fixture.approve(card, by: caller)
        #expect(fixture.gate.state.withLock { $0.sources } == [source, source])
    }

    /// Desktops keep what notifications said.
    @Test(arguments: [true, false]) func aCodeStandsInAWindowAlone(_ isNotification: Bool) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.code = .text(BankText("07-11"), message: BankText("type it at the till")) }
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        if isNotification {
            #expect(try await fixture.agent.approvals.review(fixture.key(card.id.line)))
        } else {
            #expect(try await fixture.approve(card).code == "07-11")
        }
        #expect(fixture.screen.kinds == [.yesOrNo, .pin] + (isNotification ? [.message] : []))
        #expect(
            fixture.screen.asked.all.last?.text.contains("07-11\ntype it at the till") == isNotification)
        #expect(fixture.told == [.tell("Approved, confirmed by the bank", of: "bank-1:1", why: "")])
    }

    @Test func aCodeThatCannotBeShownIsTold() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.code = .text(BankText("07-11"), message: nil) }
        fixture.screen.answers(.yes, .typed(MemoryGate.pin), .failure(PinentryError.ended))
        #expect(try await fixture.agent.approvals.review(fixture.key(card.id.line)))
        #expect(fixture.told.count == 2)
        guard case .tell(_, of: _, let why) = try #require(fixture.told.last) else { return }
        #expect(why.contains("the code to type could not be shown") && !why.contains("07-11"))
    }

    @Test(arguments: [true, false]) func oneQuestionTakesThreeWrongPINs(_ isUnlock: Bool) async throws {
        let fixture = try await AgentFixture()
        let wrong = ScriptedScreen.Answer.typed(MemoryGate.wrong)
        let refusal: Failure?
        if isUnlock {
            fixture.screen.answers(wrong, wrong, wrong, .typed(MemoryGate.pin))
            refusal = await failure {
                _ = try await fixture.agent.unlock(nil, from: .person, for: AgentFixture.frontEnd)
            }
            #expect(try await fixture.state == .shut)
        } else {
            let card = try await fixture.unlock().ask()
            fixture.screen.answers(.yes, wrong, wrong, wrong, .typed(MemoryGate.pin))
            refusal = await failure { _ = try await fixture.approve(card) }
        }
        #expect(refusal?.message == "wrong PIN; 6 tries are left")
        #expect(fixture.screen.kinds.filter { $0 == .pin }.count == 3)
        #expect(fixture.bank.sent == 0)
    }

    @Test func theLastTryIsWarnedOf() async throws {
        let fixture = try await AgentFixture()
        fixture.gate.state.withLock { $0.triesLeft = 1 }
        fixture.screen.answers(.cancel)
        _ = await failure { _ = try await fixture.agent.unlock(nil, from: .person, for: AgentFixture.frontEnd) }
        #expect(try #require(fixture.screen.asked.all.first?.error).contains("the last try"))
    }

    @Test func thePersonUnlocksByTheAgentsOwnQuestion() async throws {
        let fixture = try await AgentFixture().unlock()
        _ = try await fixture.ask()
        await fixture.agent.core.screenLocked()
        fixture.screen.answers(.cancel)
        #expect(await failure { try await fixture.agent.approvals.unlockForNotification() }?.kind == .cancelled)
        #expect(try await fixture.state == .hidden)
        fixture.screen.answers(.typed(MemoryGate.wrong), .typed(MemoryGate.pin))
        try await fixture.agent.approvals.unlockForNotification()
        #expect(try await fixture.state == .open)
        let question = try #require(fixture.screen.asked.all.last)
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
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.screen.script(answers)
        let key = fixture.key(card.id.line)
        #expect(await failure { _ = try await fixture.agent.approvals.review(key) }?.kind == .cancelled)
        #expect(fixture.screen.asked.count == answers.count)
        // Nobody is told of the cancellation.
        #expect(fixture.bank.sent == 0 && fixture.told == [])
        // The question can be asked again.
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.agent.approvals.review(key))
        #expect(fixture.bank.decided == ["1": .approve])
    }

    static let faults: [PinentryError] = [
        .ended, .malformed("an unknown answer"), .unanswered, .refused(83_918_950),
    ]

    @Test(arguments: faults, AgentFixture.Step.allCases) func aQuestionThatFailsApprovesNothing(
        _ fault: PinentryError, _ step: AgentFixture.Step
    )
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.screen.script(step.answers.dropLast() + [.failure(fault)])
        let refusal = await failure { _ = try await fixture.approve(card) }
        #expect(refusal?.kind == .locked && refusal?.message == fault.reason)
        #expect(
            fixture.told == [
                .tell("Countersign could not do that", of: "bank-1:1", why: "\(fault.reason); countersign unlock")
            ])
        #expect(try fixture.gate.status().triesLeft == 9)
        #expect(try await fixture.state == .open)
        #expect(fixture.bank.sent == 0)
    }

    @Test func aDecisionFailsIfNobodyCanBeAsked() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.screen.isThere.withLock { $0 = false }
        for caller in [AgentFixture.frontEnd, AgentFixture.script] {
            let refusal = await failure { _ = try await fixture.approve(card, by: caller) }
            #expect(refusal?.message == "the PIN is needed, and there is nowhere to ask for it")
            #expect(refusal?.hint == "countersign approve bank-1:1")
        }
        #expect(fixture.screen.asked.count == 0 && fixture.bank.sent == 0)
    }

    /// Its title would have to be typed, which the agent's windows do not offer.
    @Test func aCardWithOnlyATitleIsNotApprovedInAWindow() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask(text: "")
        let refusal = await failure { _ = try await fixture.approve(card) }
        #expect(try #require(refusal?.message).contains("its title must be typed"))
        #expect(refusal?.hint == "on a terminal: countersign approve bank-1:1")
        #expect(fixture.screen.asked.count == 0 && fixture.bank.sent == 0)
    }

    @Test func oneQuestionIsAskedAtATime() async throws {
        let fixture = try await AgentFixture().unlock()
        let (first, second) = (try await fixture.ask(), try await fixture.ask("Pay 5.00 EUR"))
        let asking = await fixture.asking(first, .card)
        for refusal in [
            await failure { _ = try await fixture.approve(second) },
            await failure { _ = try await fixture.approve(first) },
            await failure { _ = try await fixture.agent.unlock(nil, from: .person, for: AgentFixture.frontEnd) },
        ] {
            #expect(refusal?.kind == .locked && refusal?.message == "another question is being asked")
        }
        #expect(fixture.screen.asked.count == 1)
        #expect(await fixture.agent.approvals.giveUp(first.reference))
        #expect(await asking.value?.kind == .cancelled)
        // The next question can be asked.
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.approve(second).outcome == .confirmed)
        #expect(fixture.bank.decided == ["2": .approve])
    }

    // MARK: The same again

    @Test func approvingTheSameAgainTakesTheTypedTitle() async throws {
        let fixture = try await AgentFixture().unlock()
        let first = try await fixture.ask()
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        _ = try await fixture.approve(first)
        let again = try await fixture.ask()
        fixture.screen.answers(.yes, .typed("Pay 99.00 EUR"), .typed(MemoryGate.pin))
        let refusal = await failure { _ = try await fixture.approve(again) }
        #expect(refusal?.kind == .cancelled && refusal?.message == "that is not the title; nothing was sent")
        fixture.screen.answers(.yes, .typed("pay  9.90 eur"), .typed(MemoryGate.pin))
        #expect(try await fixture.approve(again).outcome == .confirmed)
        #expect(
            try #require(fixture.screen.asked.all.dropLast().last).text
                .hasPrefix("Type the title to approve the same again\n"))
        // Also after a lock, but not after ten minutes.
        _ = try await fixture.agent.lock()
        try await fixture.unlock()
        let third = try await fixture.ask()
        let asking = await fixture.asking(third, .pin)
        #expect(try #require(fixture.screen.asked.all.last).text.hasPrefix("Type the title"))
        await fixture.agent.core.screenLocked()
        #expect(await asking.value?.kind == .cancelled)
        fixture.clock.pass(.seconds(601))
        try await fixture.unlock()
        let fourth = try await fixture.ask()
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.approve(fourth).outcome == .confirmed)
    }

    /// The log knows what was approved by another command, or before this agent began.
    @Test func anApprovalFromTheLogCountsAsTheSameToo() async throws {
        let fixture = try await AgentFixture()
        let first = try await fixture.unlock().ask()
        _ = try await fixture.approveWithPIN(first)
        let other = try await fixture.another().unlock()
        let again = try await other.ask()
        other.screen.answers(.yes, .typed("no"))
        #expect(await failure { _ = try await other.approve(again) }?.kind == .cancelled)
        #expect(try #require(other.screen.asked.all.last).text.hasPrefix("Type the title"))
        #expect(fixture.bank.sent == 1)
    }

    // MARK: Denials

    @Test func denyingTakesNoPIN() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        #expect(
            try await fixture.agent.approvals.deny(fixture.key(card.id.line), showing: card.fingerprint.hex))
        #expect(fixture.screen.asked.count == 0 && fixture.bank.decided == ["1": .deny])
        #expect(fixture.told == [.tell("Denied", of: "bank-1:1", why: "")])
    }

    @Test func aDenialThatCouldPassAsAnApprovalTakesThePINAfterTheCard() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask(needsPIN: true)
        #expect(await failure { _ = try await fixture.deny(card, by: AgentFixture.script) }?.kind == .locked)
        #expect(fixture.screen.asked.count == 0)
        fixture.screen.answers(.yes, .typed(MemoryGate.pin))
        #expect(try await fixture.deny(card).outcome == .denied)
        #expect(fixture.screen.kinds == [.yesOrNo, .pin])
        #expect(fixture.screen.asked.all.allSatisfy { $0.text.hasPrefix("Deny request\n") })
        #expect(fixture.bank.decided == ["1": .deny])
    }

    /// A note may be pressed while its replacement is under way.
    @Test func denyIsRefusedIfTheNoteShowedOtherContent() async throws {
        let fixture = try await AgentFixture().unlock()
        let old = try await fixture.ask()
        let new = try await fixture.ask("Pay 990 EUR", id: old.id.line)
        let key = fixture.key(old.id.line)
        let refusal = await failure {
            _ = try await fixture.agent.approvals.deny(key, showing: old.fingerprint.hex)
        }
        #expect(refusal?.kind == .changed && fixture.bank.sent == 0)
        #expect(try await fixture.agent.approvals.deny(key, showing: new.fingerprint.hex))
        #expect(fixture.bank.sent == 1)
    }
}
