@testable import Agent
import Authenticator
import Basics
import Dispatch
import SCA
import TestSupport
import Testing

/// Decisions under way while something else happens. In every case the decision is sent once.
@Suite(.timeLimit(.minutes(5))) struct CoreDecisionTests {
    /// The next decision waits at the bank until the door opens.
    private func slow(_ house: AgentHouse) -> Door {
        let door = Door()
        house.bank.state.withLock { $0.gates = [door] }
        return door
    }

    private func untilSent(_ house: AgentHouse) async {
        await house.bank.calls.until { $0.contains(where: \.isDecision) ? () : nil }
    }

    // MARK: Locks

    /// The answer to a decision that was recorded as sent is recorded too, however the agent is locked meanwhile.
    @Test(arguments: AgentHouse.Lock.allCases, [Verdict.approve, .deny])
    func theAnswerToADecisionUnderWayIsRecordedAfterALock(_ way: AgentHouse.Lock, _ verdict: Verdict) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let door = slow(house)
        let deciding = Task {
            verdict == .approve ? try await house.approveWithPIN(card) : try await house.deny(card)
        }
        await untilSent(house)
        try await house.lock(by: way)
        door.unlock()
        let decision = try await deciding.value
        #expect(decision.outcome == (verdict == .approve ? .confirmed : .denied) && decision.error == nil)
        #expect(try await house.state == way.state)
        let entry = try #require(try house.lastDecision)
        #expect(entry.verdict == verdict && entry.outcome == decision.outcome && entry.basis == .answered)
        #expect(try house.history().count == 1 && house.bank.sent == 1)
        // Now the vault is closed for this decision too.
        #expect(await failure { try await house.agent.demandOpen() }?.kind == .locked)
    }

    /// While the PIN is checked, nothing is recorded yet, so nothing is sent.
    @Test(arguments: [AgentHouse.Lock.screen, .command, .leaving])
    func aDecisionThatIsNotRecordedYetIsNotSentAfterALock(_ way: AgentHouse.Lock) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let (checking, locked) = (Door(), DispatchSemaphore(value: 0))
        house.gate.state.withLock { state in
            state.whileOpening = {
                checking.unlock()
                locked.wait()
            }
        }
        let deciding = Task { await failure { _ = try await house.approveWithPIN(card) } }
        await checking.passes()
        switch way {
        case .screen: await house.agent.core.screenLocked()
        case .leaving: await house.agent.core.leaving()
        case .command, .time: _ = try await house.agent.lock()
        }
        locked.signal()
        #expect(await deciding.value?.kind == .locked)
        #expect(try house.history().isEmpty && house.bank.sent == 0)
        #expect(try await house.state == way.state)
    }

    // MARK: The bank's final answer

    /// Approves, and lets time pass until the decision has ended.
    private func decided(_ card: Card, _ house: AgentHouse, meanwhile: () async throws -> Void = {}) async throws
        -> DecisionPayload
    {
        let decided = Recorded<Result<DecisionPayload, any Error>>()
        let deciding = Task {
            do { decided.add(.success(try await house.approveWithPIN(card))) } catch { decided.add(.failure(error)) }
        }
        try await meanwhile()
        let result = try await house.polling { decided.all.first }
        await deciding.value
        return try result.get()
    }

    @Test func aDecisionWaitsForTheFinalAnswer() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.works = 3 }
        #expect(try await decided(card, house).outcome == .confirmed)
        #expect(try house.lastDecision?.outcome == .confirmed)
    }

    enum End: CaseIterable, Sendable { case givenUp, lock, draining }

    /// The decision stays `processing`, and the next poll after the PIN brings the final answer.
    @Test(arguments: End.allCases) func theWaitForTheFinalAnswerEnds(_ end: End) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.works = 100 }
        let decision = try await decided(card, house) {
            _ = try await house.polling { house.bank.calls.all.contains(where: \.isStatus) ? true : nil }
            switch end {
            case .givenUp: #expect(await house.agent.approvals.giveUp(card.reference))
            case .lock: _ = try await house.agent.lock()
            case .draining: await house.drain()
            }
        }
        #expect(decision.outcome == .processing && decision.error?.kind == .unknown)
        #expect(decision.error?.message == "the bank is still working on it")
        #expect(try house.history().map(\.outcome) == [.processing])
        // It is no longer under way.
        #expect(await !house.agent.approvals.giveUp(card.reference))
        house.bank.state.withLock { $0.worksOn = $0.worksOn.mapValues { (0, $0.1) } }
        if end == .lock { try await house.unlock() }
        _ = try await house.polling { try house.lastDecision?.outcome == .confirmed ? true : nil }
        #expect(house.bank.sent == 1)
    }

    @Test func aDecisionNeedNotWaitForTheFinalAnswer() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.works = 100 }
        let decision = try await house.agent.approvals.approve(
            AgentHouse.request(card, waits: false), pin: try MemoryGate.secret(), from: .file, for: AgentHouse.script)
        #expect(decision.outcome == .processing && decision.error == nil)
    }

    @Test func onlyADecisionUnderWayIsGivenUp() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        #expect(await !house.agent.approvals.giveUp(card.reference))
    }

    // MARK: Two at once

    @Test(arguments: [Verdict.approve, .deny]) func twoDecisionsAtOnceSendOne(_ second: Verdict) async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        let door = slow(house)
        let first = Task { try await house.approveWithPIN(card) }
        await untilSent(house)
        let refusal = await failure {
            _ = second == .approve ? try await house.approveWithPIN(card) : try await house.deny(card)
        }
        #expect(refusal?.kind == .unknown)
        door.unlock()
        #expect(try await first.value.outcome == .confirmed)
        let late = await failure {
            _ = second == .approve ? try await house.approveWithPIN(card) : try await house.deny(card)
        }
        #expect(late?.kind == .notFound)
        #expect(house.bank.sent == 1)
        #expect(try house.history().map(\.outcome) == [.confirmed])
    }

    // MARK: Answers

    /// The answer is lost, and the next poll finds that the request disappeared before its expiry.
    @Test func aLostAnswerIsSettledByTheNextPoll() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.decisionFaults = [(BankError(.noAnswer, "no answer"), true)] }
        let decision = try await house.approveWithPIN(card)
        #expect(decision.outcome == .unknown && decision.error?.kind == .unknown)
        _ = try await house.polling { try house.lastDecision?.basis == .inferred ? true : nil }
        let entry = try #require(try house.lastDecision)
        #expect(entry.outcome == .unknown && entry.likely == .confirmed)
        #expect(house.bank.sent == 1)
    }

    /// The decision never arrived: the request is still listed, and the person may decide again.
    @Test func aDecisionThatNeverArrivedCanBeMadeAgain() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock { $0.decisionFaults = [(BankError(.noAnswer, "no answer"), false)] }
        #expect(try await house.approveWithPIN(card).outcome == .unknown)
        let decision = try await house.polling { try? await house.deny(card) }
        #expect(decision.outcome == .denied)
        #expect(try house.history().map(\.verdict) == [.approve, .deny])
    }

    @Test func aRefusedDecisionIsToldAndTheRequestStillWaits() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask()
        house.bank.state.withLock {
            $0.decisionFaults = [(BankError(.refused, "refused", bankMessage: BankText("<b>not</b> today")), false)]
        }
        let key = house.key(card.id.line)
        #expect(try await !house.agent.approvals.deny(key, showing: card.fingerprint.hex))
        guard case .tell(let headline, _, let why)? = house.told.last else {
            Issue.record("nothing was told")
            return
        }
        #expect(headline == "Not denied, the bank refused" && why.contains("<b>not</b> today"))
        // The request is still listed, so it can be denied.
        _ = try await house.polling {
            try await house.agent.approvals.deny(key, showing: card.fingerprint.hex) ? true : nil
        }
        #expect(house.bank.decided == ["1": .deny])
    }

    /// The caller names what was shown; other content under the same id is not decided.
    @Test(arguments: [Verdict.approve, .deny]) func changedContentIsNotDecided(_ verdict: Verdict)
        async throws
    {
        let house = try await AgentHouse().unlock()
        let old = try await house.ask()
        try house.bank.ask("Pay 990 EUR", id: old.id.line, at: house.clock.now)
        let refusal = await failure {
            _ = verdict == .approve ? try await house.approveWithPIN(old) : try await house.deny(old)
        }
        #expect(refusal?.kind == .changed && house.bank.sent == 0)
    }

    @Test func anExpiredRequestIsNotApproved() async throws {
        let house = try await AgentHouse().unlock()
        let card = try await house.ask(for: 60)
        house.pass(until: .seconds(70))
        #expect(await failure { _ = try await house.approveWithPIN(card) }?.kind == .expired)
        #expect(await failure { _ = try await house.approve(card) }?.kind == .expired)
        #expect(house.bank.sent == 0 && house.screen.asked.count == 0)
    }
}

extension MemoryBank.Call {
    var isDecision: Bool { if case .decide = self { true } else { false } }
    var isStatus: Bool { if case .status = self { true } else { false } }
}
