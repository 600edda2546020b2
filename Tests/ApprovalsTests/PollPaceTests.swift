@testable import Approvals
import ApprovalModel
import Testing

/// How the schedule slows down when nobody watches, and what makes it fast again.
struct PollPaceTests {
    static let guid = ConnectionGUID("a")
    static let down = PollScheduleTests.down
    static let forbidden: BankError = {
        var error = BankError(.refused, "not here")
        error.pause = 86_400
        return error
    }()
    static let slowDown = BankError(.refused, "slow down", retryAfter: 60)

    /// What happens to a connection. At first nobody watches.
    enum Step: Sendable {
        /// The connection is asked when it is due, and answers at once; this many times.
        case quiets(Int)
        case failures(Int)
        case event, retryAfter
        /// The provider wants no call for a day.
        case pause
        /// Somebody watches, this long after the last step.
        case watched(after: Double)
        case pending(after: Double)
        case left(after: Double)
        case wakeUp(after: Double)

        static let quiet = quiets(1)
        static let failure = failures(1)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var steps: [Step]
        /// Seconds from the last step to the next call.
        var wait: Double
        var pace = PollSchedule.Pace()
        var testDescription: String { "\(steps)" }

        init(_ steps: [Step], _ wait: Double, pace: PollSchedule.Pace = PollSchedule.Pace()) {
            self.steps = steps
            self.wait = wait
            self.pace = pace
        }
    }

    @Test(arguments: [
        Story([], 0),
        // Three seconds after an event, then slower with each quiet poll, down to thirty.
        Story([.event], 3), Story([.quiet], 4.5), Story([.event, .quiet], 4.5), Story([.event, .quiet, .quiet], 6.75),
        Story([.quiets(5)], 22.78125), Story([.quiets(6)], 30),
        Story([.quiets(60)], 30), Story([.quiets(60), .event], 3),
        Story([.event], 10, pace: .init(fastest: .seconds(10), slowest: .seconds(60))),
        Story([.quiet], 15, pace: .init(fastest: .seconds(10), slowest: .seconds(60))),
        Story([.quiets(6)], 60, pace: .init(fastest: .seconds(10), slowest: .seconds(60))),
        // The slowest pace is never faster than the fastest.
        Story([.quiet, .quiet], 10, pace: .init(fastest: .seconds(10), slowest: .seconds(2))),
        // A new watcher is served at once if the last answer is older than three seconds.
        Story([.quiets(6), .watched(after: 1)], 2),
        Story([.quiets(6), .watched(after: 20)], 0),
        Story([.watched(after: 0), .quiet, .quiet, .quiet], 3),
        Story([.watched(after: 0), .quiet, .watched(after: 1)], 2),
        // When nobody watches any more, it slows down, beginning with the fastest pace.
        Story([.quiets(6), .watched(after: 20), .quiet, .left(after: 1)], 2),
        Story([.quiets(6), .watched(after: 20), .quiet, .left(after: 1), .quiet], 4.5),
        // A failing bank is never asked more often than a quiet one, even if somebody watches.
        Story([.failure], 6), Story([.failure, .failure], 12),
        Story([.quiets(6), .failure], 30),
        Story([.quiets(6), .failures(4)], 48),
        Story([.quiets(6), .failure, .watched(after: 1)], 5),
        // A watcher learns within ten seconds that a bank answers again; a pending request does not hasten a failing
        // bank.
        Story([.failure, .failure, .failure, .pending(after: 1)], 23),
        Story([.failure, .failure, .failure, .watched(after: 1)], 8),
        Story([.failures(9), .watched(after: 20)], 0),
        Story([.failures(9), .pending(after: 20), .watched(after: 20)], 0),
        Story([.watched(after: 0), .failures(9)], 9), Story([.watched(after: 0), .failure], 6),
        Story([.pending(after: 0), .failures(9)], 120),
        Story([.watched(after: 0), .failures(9), .left(after: 1), .failure], 120),
        Story([.watched(after: 0), .failures(9), .retryAfter], 60),
        Story([.watched(after: 0), .failure], 600, pace: .init(fastest: .seconds(600), slowest: .seconds(600))),
        Story([.failure, .failure, .quiet], 4.5), Story([.quiet, .failure, .event], 3),
        Story([.failure], 600, pace: .init(fastest: .seconds(600), slowest: .seconds(600))),
        // A wake-up forgets failures, but the bank's `Retry-After` still holds.
        Story([.quiets(6), .wakeUp(after: 1)], 0),
        Story([.quiets(6), .wakeUp(after: 1), .quiet], 4.5),
        Story([.failures(9), .wakeUp(after: 1)], 0),
        Story([.failures(9), .wakeUp(after: 1), .failure], 6),
        Story([.retryAfter], 60), Story([.retryAfter, .wakeUp(after: 20)], 40),
        Story([.retryAfter, .watched(after: 20)], 40),
        Story([.retryAfter, .wakeUp(after: 20), .watched(after: 5)], 35),
        Story([.retryAfter, .wakeUp(after: 100)], 0), Story([.retryAfter, .failure, .wakeUp(after: 1)], 0),
        // A pause of the provider holds even if somebody watches.
        Story([.pause], 86_400), Story([.pause, .watched(after: 400)], 86_000),
        Story([.pause, .wakeUp(after: 400)], 86_000),
        Story([.quiet, .wakeUp(after: 3600)], 0), Story([.wakeUp(after: 0), .quiet], 4.5),
    ])
    func waits(_ story: Story) throws {
        var schedule = PollSchedule(at: PollScheduleTests.start, pace: story.pace)
        schedule.follow([try PollScheduleTests.connection("a").guid], at: PollScheduleTests.start)
        var now = PollScheduleTests.start
        func hear(_ error: BankError?, isEvent: Bool = false) throws {
            now = max(now, try #require(schedule.next))
            #expect(schedule.take(at: now) == Self.guid)
            schedule.heard(error, from: Self.guid, isEvent: isEvent, at: now, jitter: 0.5)
            // Jitter adds 3 s to the bank's `Retry-After`. Let them pass, so that the numbers stay round.
            if error?.retryAfter != nil { now = now + .seconds(3) }
        }
        for step in story.steps {
            switch step {
            case .quiets(let times): for _ in 0..<times { try hear(nil) }
            case .event: try hear(nil, isEvent: true)
            case .failures(let times): for _ in 0..<times { try hear(Self.down) }
            case .retryAfter: try hear(Self.slowDown)
            case .pause: try hear(Self.forbidden)
            case .watched(let wait):
                now = now + .seconds(wait)
                schedule.setAttention(.watched)
            case .pending(let wait):
                now = now + .seconds(wait)
                schedule.setAttention(.pending)
            case .left(let wait):
                now = now + .seconds(wait)
                schedule.setAttention(.none)
            case .wakeUp(let wait):
                now = now + .seconds(wait)
                schedule.wakeUp(at: now)
            }
        }
        let next = max(try #require(schedule.next), now)
        // While its bank answers, a connection is asked at the beat nearest to its due time.
        let early = story.wait - now.duration(to: next) / .seconds(1)
        let last = story.steps.last
        #expect(abs(early) < 0.001 || abs(early - 0.125) < 0.001)
        if case .retryAfter = last { #expect(abs(early) < 0.001) }
        if case .pause = last { #expect(abs(early) < 0.001) }
        if case .failures = last { #expect(abs(early) < 0.001) }
        if story.wait > 0 { #expect(schedule.take(at: next - .milliseconds(1)) == nil) }
        #expect(schedule.take(at: next) == Self.guid)
    }

    @Test func aWakeUpAsksOneByOne() throws {
        var schedule = try PollScheduleTests.schedule(["a", "b", "c"])
        schedule.wakeUp(at: PollScheduleTests.moment(9))
        for (number, name) in ["a", "b", "c"].enumerated() {
            let now = PollScheduleTests.moment(9 + 0.25 * Double(number))
            #expect(schedule.next == now || number == 0)
            #expect(schedule.take(at: now)?.text == name)
            #expect(schedule.take(at: now) == nil)
        }
    }

    /// A call that was under way when the network went away says nothing about the bank.
    @Test func aCallFromBeforeAWakeUpIsRepeatedAtOnce() throws {
        var schedule = try PollScheduleTests.schedule(["a"])
        #expect(schedule.take(at: PollScheduleTests.start) == Self.guid)
        schedule.wakeUp(at: PollScheduleTests.moment(5))
        #expect(schedule.take(at: PollScheduleTests.moment(5)) == nil)
        schedule.heard(Self.down, from: Self.guid, at: PollScheduleTests.moment(10), jitter: 0.5)
        #expect(schedule.take(at: PollScheduleTests.moment(10)) == Self.guid)
        schedule.heard(Self.down, from: Self.guid, at: PollScheduleTests.moment(10), jitter: 0.5)
        #expect(schedule.next == PollScheduleTests.moment(16))
    }

    @Test func anAnswerDuringAWakeUpCounts() throws {
        var schedule = try PollScheduleTests.schedule(["a"])
        #expect(schedule.take(at: PollScheduleTests.start) == Self.guid)
        schedule.wakeUp(at: PollScheduleTests.moment(1))
        schedule.heard(nil, from: Self.guid, at: PollScheduleTests.moment(1), jitter: 0.5)
        #expect(schedule.next == PollScheduleTests.moment(3.875))
    }

    @Test func anEventAtOneBankHastensNoOther() throws {
        var schedule = PollSchedule(at: PollScheduleTests.start)
        schedule.follow(try ["a", "b"].map { try PollScheduleTests.connection($0).guid }, at: PollScheduleTests.start)
        #expect(schedule.take(at: PollScheduleTests.start) == Self.guid)
        #expect(schedule.take(at: PollScheduleTests.moment(1)) == ConnectionGUID("b"))
        schedule.heard(nil, from: ConnectionGUID("b"), at: PollScheduleTests.moment(1), jitter: 0.5)
        schedule.heard(nil, from: Self.guid, isEvent: true, at: PollScheduleTests.moment(2), jitter: 0.5)
        #expect(schedule.take(at: PollScheduleTests.moment(5)) == Self.guid)
        #expect(schedule.next == PollScheduleTests.moment(5.375))
    }

    /// Two hundred connections: each is asked every three seconds or so, a few per beat, and never more than a third at
    /// once.
    @Test func manyConnectionsAreAllAskedInTime() throws {
        let names = (0..<200).map { "bank-\($0)" }
        var schedule = try PollScheduleTests.schedule(names)
        var random = SplitMix(state: 7)
        var asked: [ConnectionGUID: [ContinuousClock.Instant]] = [:]
        var beats: [(moment: ContinuousClock.Instant, count: Int)] = []
        while let now = schedule.next, now < PollScheduleTests.moment(60) {
            if let last = beats.last { #expect(last.moment.duration(to: now) >= .milliseconds(250)) }
            var count = 0
            while let guid = schedule.take(at: now) {
                asked[guid, default: []].append(now)
                schedule.heard(nil, from: guid, at: now, jitter: Double.random(in: 0...1, using: &random))
                count += 1
            }
            beats.append((now, count))
            #expect((1...67).contains(count))
        }
        #expect(beats.dropFirst(160).allSatisfy { $0.count < 50 })
        #expect(asked.count == names.count)
        for moments in asked.values {
            #expect(moments[0] <= PollScheduleTests.moment(0.75))
            for (one, next) in zip(moments, moments.dropFirst()) {
                #expect(one.duration(to: next) >= .milliseconds(2575) && one.duration(to: next) <= .milliseconds(3550))
            }
            #expect(try #require(moments.last) >= PollScheduleTests.moment(56))
        }
    }
}

/// Gives the same numbers in each run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
