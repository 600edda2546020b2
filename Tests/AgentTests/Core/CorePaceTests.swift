@testable import Agent
import Approvals
import Basics
import ApprovalModel
import Testing

/// How soon a bank is polled again.
@Suite(.timeLimit(.minutes(5))) struct CorePaceTests {
    /// The slowest pace is far from the fastest, so that a single hurried poll shows.
    private static let pace = PollSchedule.Pace(fastest: .seconds(1), slowest: .seconds(5))

    /// When the bank was polled.
    private let polls = Recorded<Duration>()

    /// Waits for the next poll; returns how long after the last one it came, to a tenth of a second.
    private func gap(_ fixture: AgentFixture) async throws -> Duration {
        fixture.bank.state.withLock { $0.onList = { [polls] in polls.add(fixture.clock.passed) } }
        let before = polls.all
        let start = before.last ?? fixture.clock.passed
        while polls.count == before.count {
            let sleepers = fixture.clock.sleepers
            fixture.clock.pass(.milliseconds(100))
            // Time must not go on before the poller, if it woke, has polled and sleeps again. Other timers end for good,
            // so this wait has an end, too.
            for _ in 0..<1000 where fixture.clock.sleepers < sleepers { try await Task.sleep(for: .milliseconds(2)) }
            try await Task.sleep(for: .milliseconds(3))
        }
        // The events of this poll are handled before time goes on.
        try await Task.sleep(for: .milliseconds(20))
        return polls.all[before.count] - start
    }

    /// The pace must not depend on whether a sealed item could be opened: by asking often, a bank or an impostor could
    /// decrypt what others sealed.
    @Test(arguments: [false, true]) func aFaultNeverHastensTheNextPoll(_ isHidden: Bool) async throws {
        let fixture = try await AgentFixture(pace: Self.pace).unlock()
        if isHidden { await fixture.agent.core.screenLocked() }
        while try await gap(fixture) < .seconds(4) {}
        for reason in ["no id", "not sealed", "not opened"] {
            let id = reason == "no id" ? nil : BankID("7")
            fixture.bank.state.withLock { $0.faults = [ItemFault(id: id, reason: reason)] }
            _ = try await gap(fixture)
            // A hastened poll comes after a second. On a busy machine time goes on a little while a poll is on its way.
            let gap = try await gap(fixture)
            #expect(gap > .seconds(2.5), "\(reason)")
        }
        #expect(try await fixture.waiting == 0)
        // After an item that can be opened, the bank is polled often.
        try fixture.bank.ask(at: fixture.clock.now)
        _ = try await gap(fixture)
        var least = Duration.seconds(60)
        for _ in 0..<3 { least = min(least, try await gap(fixture)) }
        #expect(least < .seconds(2.5))
        #expect(try await fixture.waiting == 1)
    }

    /// A failing bank is polled less and less often while nobody watches. A new watcher learns since when it fails, and
    /// the bank is polled soon.
    @Test func aNewWatcherLearnsOfTheFailureAndHastensThePoll() async throws {
        let fixture = try await AgentFixture(pace: .init()).unlock()
        fixture.bank.state.withLock { $0.listFault = BankError(.unreachable(), "no way") }
        var events: Watching? = await Watching(fixture)
        _ = try await gap(fixture)
        let began = try await events?.expect(.failure)
        events = nil
        while try await gap(fixture) < .seconds(15) {}
        var later = await Watching(fixture)
        #expect(try await later.expect(.failure).at == began?.at)
        var least = Duration.seconds(60)
        for _ in 0..<3 { least = min(least, try await gap(fixture)) }
        #expect(least < .seconds(11))
        // A bank that asks for more time gets it.
        fixture.bank.state.withLock { $0.listFault = BankError(.refused, "later", retryAfter: 25) }
        _ = try await gap(fixture)
        #expect(try await gap(fixture) >= .seconds(24.5))
    }
}
