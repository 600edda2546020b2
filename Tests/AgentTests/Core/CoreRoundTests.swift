@testable import Agent
import Approvals
import Basics
import Testing

/// Review on the note that stands for many requests.
@Suite(.timeLimit(.minutes(5))) struct CoreRoundTests {
    /// An open agent with five requests, of which the last one expires first.
    private func fixture(needsPIN: Bool = false) async throws -> AgentFixture {
        let fixture = try await AgentFixture().unlock()
        for number in 1...5 {
            _ = try await fixture.ask(
                "Pay \(number).00 EUR", id: String(number), for: Double(3000 - 100 * number), needsPIN: needsPIN)
        }
        return fixture
    }

    /// Goes through the round; the keys of what was decided.
    private func round(_ fixture: AgentFixture) async throws -> [String] {
        let decided = Recorded<String>()
        try await fixture.agent.approvals.reviewAll { decided.add($0) }
        return decided.all
    }

    @Test func eachIsApprovedDeniedOrSkipped() async throws {
        let fixture = try await fixture()
        fixture.screen.answers(
            .other,  // 5 is skipped
            .yes, .yes, .typed(MemoryGate.pin),  // 4 is approved
            .yes, .other,  // 3 is denied
            .other, .other)
        #expect(try await round(fixture) == [fixture.key("4"), fixture.key("3")])
        #expect(fixture.bank.decided == ["4": .approve, "3": .deny])
        #expect(fixture.screen.kinds == [.yesOrNo, .yesOrNo, .yesOrNo, .pin, .yesOrNo, .yesOrNo, .yesOrNo, .yesOrNo])
        #expect(
            fixture.told.count == 2 && fixture.screen.asked.all[0].text.contains("Pay 5.00 EUR")
                && fixture.screen.asked.all[1].text.contains("Pay 4.00 EUR"))
        #expect(fixture.screen.asked.all[0].text.contains("Request 1 of 5, page 1 of 1"))
        #expect(fixture.screen.asked.all[6].text.contains("Request 4 of 5, page 1 of 1"))
        #expect(fixture.screen.asked.all[0].other == "Skip" && fixture.screen.asked.all[2].other == "Deny")
    }

    @Test(
        arguments: [
            [.cancel], [.yes, .cancel], [.yes, .yes, .cancel],
        ] as [[ScriptedScreen.Answer]]) func cancelEndsTheRound(_ answers: [ScriptedScreen.Answer]) async throws
    {
        let fixture = try await fixture()
        fixture.screen.script([.other] + answers)
        #expect(await failure { _ = try await round(fixture) }?.kind == .cancelled)
        #expect(fixture.bank.sent == 0 && fixture.screen.asked.count == 1 + answers.count)
        // The next round begins anew.
        fixture.screen.script(Array(repeating: .other, count: 5))
        #expect(try await round(fixture) == [])
        let last = fixture.screen.asked.all.suffix(5)
        #expect(last.first?.text.contains("Pay 5.00 EUR") == true && last.last?.text.contains("Pay 1.00 EUR") == true)
    }

    @Test func aRequestThatIsGoneDoesNotEndTheRound() async throws {
        let fixture = try await fixture()
        fixture.screen.script([.none] + Array(repeating: .other, count: 4))
        let going = Task { try await round(fixture) }
        await fixture.screen.asked.until(count: 1)
        fixture.bank.withdraw("5")
        _ = try await fixture.polling { fixture.screen.asked.count > 1 ? true : nil }
        #expect(try await going.value == [])
        #expect(
            fixture.told == [
                .tell("The bank withdrew the request", of: "bank-1:5", why: "its window was closed; nothing was sent")
            ])
        #expect(fixture.screen.asked.count == 5)
    }

    @Test func aLockEndsTheRound() async throws {
        let fixture = try await fixture()
        fixture.screen.script([.other, .none])
        let going = Task { await failure { _ = try await round(fixture) } }
        await fixture.screen.asked.until(count: 2)
        await fixture.agent.core.screenLocked()
        #expect([.cancelled, .locked].contains(await going.value?.kind))
        #expect(fixture.screen.asked.count == 2 && fixture.bank.sent == 0)
    }

    @Test func aDenialThatNeedsThePINTakesIt() async throws {
        let fixture = try await fixture(needsPIN: true)
        fixture.screen.answers(.yes, .other, .typed(MemoryGate.pin), .cancel)
        #expect(await failure { _ = try await round(fixture) }?.kind == .cancelled)
        #expect(fixture.bank.decided == ["5": .deny] && fixture.screen.kinds == [.yesOrNo, .yesOrNo, .pin, .yesOrNo])
    }
}
