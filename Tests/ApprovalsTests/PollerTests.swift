@testable import Approvals
import ApprovalModel
import Synchronization
import Testing

@Suite struct PollerTests {
    /// A regression test: it once ran without pause, because each unneeded timer woke it again.
    @Test(.timeLimit(.minutes(10))) func itRestsUntilSomebodyIsDue() async throws {
        // Time hardly passes: a timer whose moment is not over ends with its task alone.
        let time = PassingTime()
        var clock = time.clock
        clock.moment = {
            time.pass(.microseconds(1))
            return time.now
        }
        let poller = Poller(pace: .init(fastest: .seconds(3600)), clock: clock) { moment in
            if moment > time.now + .seconds(60) { try await Task.sleep(for: .seconds(86_400)) }
            time.pass(.seconds(1))
        }
        let asked = AsyncStream<Void>.makeStream()
        let task = Task {
            try await poller.run {
                [ConnectionGUID("a"), ConnectionGUID("b")]
            } ask: { _ in
                asked.continuation.yield()
                return Poller.Heard(isEvent: true)
            }
        }
        var answers = asked.stream.makeAsyncIterator()
        for _ in 0..<2 { await answers.next() }
        for _ in 0..<20 { await poller.setAttention(.watched) }
        var (turns, quiet) = (await poller.turns, 0)
        while quiet < 1000, turns < 60 {
            await Task.yield()
            let now = await poller.turns
            quiet = now == turns ? quiet + 1 : 0
            turns = now
        }
        // Two calls and answers, twenty wake-ups, and what a timer adds.
        #expect(turns < 60, "\(turns) turns")
        task.cancel()
        try await task.value
    }

    /// A bank must not learn how long opening its items took.
    @Test(.timeLimit(.minutes(1))) func theWaitCountsFromTheAnswerNotFromOpeningIt() async throws {
        let poller = Poller(pace: .init(fastest: .seconds(60), slowest: .seconds(60)), clock: World.clock)
        let asked = AsyncStream<ContinuousClock.Instant>.makeStream()
        let task = Task {
            try await poller.run {
                [ConnectionGUID("a")]
            } ask: { _ in
                asked.continuation.yield(.now)
                return Poller.Heard(at: .now - .seconds(100))
            }
        }
        var answers = asked.stream.makeAsyncIterator()
        // The second call is due at once, since the wait is already over.
        _ = await answers.next()
        #expect(await answers.next() != nil)
        task.cancel()
        try await task.value
    }

    @Test(.timeLimit(.minutes(1))) func aWakeUpAsksAtOnce() async throws {
        let poller = Poller(pace: .init(fastest: .seconds(3600)), clock: World.clock)
        let asked = AsyncStream<Void>.makeStream()
        let task = Task {
            try await poller.run {
                [ConnectionGUID("a")]
            } ask: { _ in
                asked.continuation.yield()
                return Poller.Heard()
            }
        }
        var answers = asked.stream.makeAsyncIterator()
        await answers.next()
        await poller.wakeUp()
        await answers.next()
        task.cancel()
        try await task.value
    }
}
