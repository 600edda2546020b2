@testable import Agent
import Approvals
import Basics
import Dispatch
import ApprovalModel
import TestSupport
import Testing

/// Decisions under way while something else happens. In every case the decision is sent once.
@Suite(.timeLimit(.minutes(5))) struct CoreDecisionTests {
    /// The next decision waits at the bank until the door opens.
    private func slow(_ fixture: AgentFixture) -> Door {
        let door = Door()
        fixture.bank.state.withLock { $0.gates = [door] }
        return door
    }

    private func untilSent(_ fixture: AgentFixture) async {
        await fixture.bank.calls.until { $0.contains(where: \.isDecision) ? () : nil }
    }

    // MARK: Locks

    /// The answer to a decision that was recorded as sent is recorded too, however the agent is locked meanwhile.
    @Test(arguments: AgentFixture.Lock.allCases, [Verdict.approve, .deny])
    func theAnswerToADecisionUnderWayIsRecordedAfterALock(_ way: AgentFixture.Lock, _ verdict: Verdict) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let door = slow(fixture)
        let deciding = Task {
            verdict == .approve ? try await fixture.approveWithPIN(card) : try await fixture.deny(card)
        }
        await untilSent(fixture)
        try await fixture.lock(by: way)
        door.unlock()
        let decision = try await deciding.value
        #expect(decision.outcome == (verdict == .approve ? .confirmed : .denied) && decision.error == nil)
        #expect(try await fixture.state == way.state)
        let entry = try #require(try fixture.lastDecision)
        #expect(entry.verdict == verdict && entry.outcome == decision.outcome && entry.basis == .answered)
        #expect(try fixture.history().count == 1 && fixture.bank.sent == 1)
        // Now the vault is closed for this decision too.
        #expect(await failure { try await fixture.agent.demandOpen() }?.kind == .locked)
    }

    /// While the PIN is checked, nothing is recorded yet, so nothing is sent.
    @Test(arguments: [AgentFixture.Lock.screen, .command, .leaving])
    func aDecisionThatIsNotRecordedYetIsNotSentAfterALock(_ way: AgentFixture.Lock) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let (checking, locked) = (Door(), DispatchSemaphore(value: 0))
        fixture.gate.state.withLock { state in
            state.whileOpening = {
                checking.unlock()
                locked.wait()
            }
        }
        let deciding = Task { await failure { _ = try await fixture.approveWithPIN(card) } }
        await checking.passes()
        switch way {
        case .screen: await fixture.agent.core.screenLocked()
        case .leaving: await fixture.agent.core.leaving()
        case .command, .time: _ = try await fixture.agent.lock()
        }
        locked.signal()
        #expect(await deciding.value?.kind == .locked)
        #expect(try fixture.history().isEmpty && fixture.bank.sent == 0)
        #expect(try await fixture.state == way.state)
    }

    // MARK: The bank's final answer

    /// Approves, and lets time pass until the decision has ended.
    private func decided(_ card: Card, _ fixture: AgentFixture, meanwhile: () async throws -> Void = {}) async throws
        -> DecisionPayload
    {
        let decided = Recorded<Result<DecisionPayload, any Error>>()
        let deciding = Task {
            do { decided.add(.success(try await fixture.approveWithPIN(card))) } catch { decided.add(.failure(error)) }
        }
        try await meanwhile()
        let result = try await fixture.polling { decided.all.first }
        await deciding.value
        return try result.get()
    }

    @Test func aDecisionWaitsForTheFinalAnswer() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.works = 3 }
        #expect(try await decided(card, fixture).outcome == .confirmed)
        #expect(try fixture.lastDecision?.outcome == .confirmed)
    }

    enum End: CaseIterable, Sendable { case givenUp, lock, draining }

    /// The decision stays `processing`, and the next poll after the PIN brings the final answer.
    @Test(arguments: End.allCases) func theWaitForTheFinalAnswerEnds(_ end: End) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.works = 100 }
        let decision = try await decided(card, fixture) {
            _ = try await fixture.polling { fixture.bank.calls.all.contains(where: \.isStatus) ? true : nil }
            switch end {
            case .givenUp: #expect(await fixture.agent.approvals.giveUp(card.reference))
            case .lock: _ = try await fixture.agent.lock()
            case .draining: await fixture.drain()
            }
        }
        #expect(decision.outcome == .processing && decision.error?.kind == .unknown)
        #expect(decision.error?.message == "the bank is still working on it")
        #expect(try fixture.history().map(\.outcome) == [.processing])
        // It is no longer under way.
        #expect(await !fixture.agent.approvals.giveUp(card.reference))
        fixture.bank.state.withLock { $0.worksOn = $0.worksOn.mapValues { (0, $0.1) } }
        if end == .lock { try await fixture.unlock() }
        _ = try await fixture.polling { try fixture.lastDecision?.outcome == .confirmed ? true : nil }
        #expect(fixture.bank.sent == 1)
    }

    @Test func aDecisionNeedNotWaitForTheFinalAnswer() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.works = 100 }
        let decision = try await fixture.agent.approvals.decide(
            .approve, AgentFixture.request(card, waits: false), .typed(try MemoryGate.secret(), from: .file),
            for: AgentFixture.script)
        #expect(decision.outcome == .processing && decision.error == nil)
    }

    /// The person approved it, whatever became of it later: to approve the same again may be a habit.
    @Test func theSameIsWarnedOfAfterAnUnknownOutcome() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.works = 100 }
        let decision = try await decided(card, fixture) {
            _ = try await fixture.polling { fixture.bank.calls.all.contains(where: \.isStatus) ? true : nil }
            #expect(await fixture.agent.approvals.giveUp(card.reference))
        }
        #expect(decision.error?.kind == .unknown)
        // The log no longer counts it as an approval.
        fixture.bank.state.withLock { state in
            state.worksOn = state.worksOn.mapValues { _ in (0, .denied) }
            state.works = 0
        }
        _ = try await fixture.polling { try fixture.lastDecision?.outcome != .processing ? true : nil }
        let same = try await fixture.ask()
        fixture.screen.answers(.yes, .typed("Pay 9.90 EUR"), .typed(MemoryGate.pin))
        #expect(try await fixture.approve(same).outcome == .confirmed)
        #expect(fixture.screen.kinds == [.yesOrNo, .pin, .pin])
        #expect(fixture.screen.asked.all[1].text.hasPrefix("Type the title to approve the same again"))
    }

    @Test func onlyADecisionUnderWayIsGivenUp() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        #expect(await !fixture.agent.approvals.giveUp(card.reference))
    }

    // MARK: Two at once

    @Test(arguments: [Verdict.approve, .deny]) func twoDecisionsAtOnceSendOne(_ second: Verdict) async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        let door = slow(fixture)
        let first = Task { try await fixture.approveWithPIN(card) }
        await untilSent(fixture)
        let refusal = await failure {
            _ = second == .approve ? try await fixture.approveWithPIN(card) : try await fixture.deny(card)
        }
        #expect(refusal?.kind == .unknown)
        door.unlock()
        #expect(try await first.value.outcome == .confirmed)
        let late = await failure {
            _ = second == .approve ? try await fixture.approveWithPIN(card) : try await fixture.deny(card)
        }
        #expect(late?.kind == .notFound)
        #expect(fixture.bank.sent == 1)
        #expect(try fixture.history().map(\.outcome) == [.confirmed])
    }

    // MARK: Answers

    /// The answer is lost, and the next poll finds that the request disappeared before its expiry.
    @Test func aLostAnswerIsSettledByTheNextPoll() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.decisionFaults = [(BankError(.noAnswer, "no answer"), true)] }
        let decision = try await fixture.approveWithPIN(card)
        #expect(decision.outcome == .unknown && decision.error?.kind == .unknown)
        _ = try await fixture.polling { try fixture.lastDecision?.basis == .inferred ? true : nil }
        let entry = try #require(try fixture.lastDecision)
        #expect(entry.outcome == .unknown && entry.likely == .confirmed)
        #expect(fixture.bank.sent == 1)
    }

    /// The decision never arrived: the request is still listed, and the person may decide again.
    @Test func aDecisionThatNeverArrivedCanBeMadeAgain() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.decisionFaults = [(BankError(.noAnswer, "no answer"), false)] }
        #expect(try await fixture.approveWithPIN(card).outcome == .unknown)
        let decision = try await fixture.polling { try? await fixture.deny(card) }
        #expect(decision.outcome == .denied)
        #expect(try fixture.history().map(\.verdict) == [.approve, .deny])
    }

    @Test func aRefusedDecisionIsToldAndTheRequestStillWaits() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock {
            $0.decisionFaults = [(BankError(.refused, "refused", bankMessage: BankText("<b>not</b> today")), false)]
        }
        let key = fixture.key(card.id.line)
        #expect(try await !fixture.agent.approvals.deny(key, showing: card.fingerprint.hex))
        guard case .tell(let headline, _, let why)? = fixture.told.last else {
            Issue.record("nothing was told")
            return
        }
        #expect(headline == "Not denied, the bank refused" && why.contains("<b>not</b> today"))
        // The request is still listed, so it can be denied.
        _ = try await fixture.polling {
            try await fixture.agent.approvals.deny(key, showing: card.fingerprint.hex) ? true : nil
        }
        #expect(fixture.bank.decided == ["1": .deny])
    }

    /// The caller names what was shown; other content under the same id is not decided.
    @Test(arguments: [Verdict.approve, .deny]) func changedContentIsNotDecided(_ verdict: Verdict)
        async throws
    {
        let fixture = try await AgentFixture().unlock()
        let old = try await fixture.ask()
        try fixture.bank.ask("Pay 990 EUR", id: old.id.line, at: fixture.clock.now)
        let refusal = await failure {
            _ = verdict == .approve ? try await fixture.approveWithPIN(old) : try await fixture.deny(old)
        }
        #expect(refusal?.kind == .changed && fixture.bank.sent == 0)
    }

    @Test func anExpiredRequestIsNotApproved() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask(for: 60)
        fixture.pass(until: .seconds(70))
        #expect(await failure { _ = try await fixture.approveWithPIN(card) }?.kind == .expired)
        #expect(await failure { _ = try await fixture.approve(card) }?.kind == .expired)
        #expect(fixture.bank.sent == 0 && fixture.screen.asked.count == 0)
    }
}

extension MemoryBank.Call {
    var isDecision: Bool { if case .decide = self { true } else { false } }
    var isStatus: Bool { if case .status = self { true } else { false } }
}
