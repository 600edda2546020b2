@testable import Agent
import Authenticator
import Basics
import SCA
import Testing

/// How soon a bank is polled again.
@Suite(.timeLimit(.minutes(5))) struct CorePaceTests {
    /// The slowest pace is far from the fastest, so that a single hurried poll shows.
    private static let pace = PollSchedule.Pace(fastest: .seconds(1), slowest: .seconds(5))

    /// Waits for the next poll; returns how long after the last one it came, to a tenth of a second.
    private func gap(_ house: AgentHouse) async throws -> Duration {
        let (lists, start) = (house.bank.lists, house.clock.passed)
        while house.bank.lists == lists {
            house.clock.pass(.milliseconds(100))
            try await Task.sleep(for: .milliseconds(3))
        }
        let gap = house.clock.passed - start
        // The events of this poll are handled before time goes on.
        try await Task.sleep(for: .milliseconds(20))
        return gap
    }

    /// The pace must not depend on whether a sealed item could be opened: by asking often, a bank or an impostor could
    /// decrypt what others sealed.
    @Test(arguments: [false, true]) func aFaultNeverHastensTheNextPoll(_ isHidden: Bool) async throws {
        let house = try await AgentHouse(pace: Self.pace).unlock()
        if isHidden { await house.agent.core.screenLocked() }
        while try await gap(house) < .seconds(4) {}
        for reason in ["no id", "not sealed", "not opened"] {
            let id = reason == "no id" ? nil : BankID("7")
            house.bank.state.withLock { $0.faults = [ItemFault(id: id, reason: reason)] }
            _ = try await gap(house)
            #expect(try await gap(house) >= .seconds(4), "\(reason)")
        }
        #expect(try await house.waiting == 0)
        // After an item that can be opened, the bank is polled often.
        try house.bank.ask(at: house.clock.now)
        _ = try await gap(house)
        var least = Duration.seconds(60)
        for _ in 0..<3 { least = min(least, try await gap(house)) }
        #expect(least < .seconds(2.5))
        #expect(try await house.waiting == 1)
    }

    /// A failing bank is polled less and less often while nobody watches. A new watcher learns since when it fails, and
    /// the bank is polled soon.
    @Test func aNewWatcherLearnsOfTheFailureAndHastensThePoll() async throws {
        let house = try await AgentHouse(pace: .init()).unlock()
        house.bank.state.withLock { $0.listFault = BankError(.unreachable, "no way") }
        var events: Watching? = await Watching(house)
        _ = try await gap(house)
        let began = try await events?.expect(.failure)
        events = nil
        while try await gap(house) < .seconds(15) {}
        var later = await Watching(house)
        #expect(try await later.expect(.failure).at == began?.at)
        var least = Duration.seconds(60)
        for _ in 0..<3 { least = min(least, try await gap(house)) }
        #expect(least < .seconds(11))
        // A bank that asks for more time gets it.
        house.bank.state.withLock { $0.listFault = BankError(.refused, "later", retryAfter: 25) }
        _ = try await gap(house)
        #expect(try await gap(house) >= .seconds(24.5))
    }
}
