@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Testing

/// When banks are asked while somebody watches.
struct PollScheduleTests {
    static let start = ContinuousClock.now

    static func moment(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    static func connection(_ name: String, status: Connection.Status = .active) throws -> Connection {
        Connection(
            guid: ConnectionGUID(name), name: try #require(ConnectionName(name)), keyID: KeyID(name), status: status,
            enrolled: try World.enrolled(), createdAt: World.now, updatedAt: World.now)
    }

    static func schedule(_ names: [String]) throws -> PollSchedule {
        var schedule = PollSchedule(at: start)
        schedule.setAttention(.pending)
        schedule.follow(try names.map { try connection($0).guid }, at: start)
        return schedule
    }

    struct Attempt: Sendable, CustomTestStringConvertible {
        var failures: [BankError]
        var jitter: Double
        /// Seconds until the next call after the last of them.
        var delay: Double
        var testDescription: String { "\(failures.count) failures, jitter \(jitter)" }
    }

    static let down = BankError(.unreachable(), "down")

    @Test(arguments: [
        // Half a beat early, so that the next beat is as often after the due time as before it.
        Attempt(failures: [], jitter: 0, delay: 2.575),
        Attempt(failures: [], jitter: 0.5, delay: 2.875),
        Attempt(failures: [], jitter: 1, delay: 3.175),
        Attempt(failures: [down], jitter: 0.5, delay: 6),
        Attempt(failures: [down, down], jitter: 0.5, delay: 12),
        Attempt(failures: [down, down, down], jitter: 0, delay: 21.6),
        Attempt(failures: Array(repeating: down, count: 6), jitter: 0.5, delay: 120),
        Attempt(failures: Array(repeating: down, count: 100), jitter: 1, delay: 132),
        // Nothing is asked before `Retry-After`, so jitter only adds.
        Attempt(failures: [BankError(.refused, "slow down", retryAfter: 60)], jitter: 0, delay: 60),
        Attempt(failures: [BankError(.refused, "slow down", retryAfter: 60)], jitter: 1, delay: 66),
        Attempt(failures: [BankError(.refused, "slow down", retryAfter: 1)], jitter: 0.5, delay: 6),
        Attempt(failures: [BankError(.refused, "slow down", retryAfter: .max)], jitter: 0, delay: 3600),
    ])
    func asksAgainAfter(_ attempt: Attempt) throws {
        var schedule = try Self.schedule(["a"])
        let guid = ConnectionGUID("a")
        var now = Self.moment(0)
        for failure in attempt.failures.map({ $0 as BankError? }).dropLast() {
            #expect(schedule.take(at: now) == guid)
            schedule.heard(failure, from: guid, at: now, jitter: 1)
            now = try #require(schedule.next)
        }
        #expect(schedule.take(at: now) == guid)
        schedule.heard(attempt.failures.last, from: guid, at: now, jitter: attempt.jitter)
        let next = try #require(schedule.next)
        #expect(abs(now.duration(to: next) / .seconds(1) - attempt.delay) < 0.001)
        #expect(schedule.take(at: next - .milliseconds(1)) == nil)
        #expect(schedule.take(at: next) == guid)
    }

    @Test func anAnswerEndsTheBackOff() throws {
        var schedule = try Self.schedule(["a"])
        let guid = ConnectionGUID("a")
        for error in [Self.down, Self.down, nil] {
            schedule.heard(error, from: guid, at: Self.start, jitter: 0.5)
        }
        #expect(schedule.next == Self.moment(2.875))
    }

    @Test func connectionsAreAskedOneByOneEvenIfAllAreDue() throws {
        var schedule = try Self.schedule(["a", "b", "c"])
        // The machine slept, so everything is overdue.
        var now = Self.moment(1000)
        var asked: [String] = []
        for _ in 0..<3 {
            asked.append(try #require(schedule.take(at: now)?.text))
            #expect(schedule.take(at: now) == nil)
            if let next = schedule.next {
                #expect(now.duration(to: next) == .milliseconds(250))
                now = next
            }
        }
        #expect(asked == ["a", "b", "c"])
    }

    @Test func aSilentBankIsNotAskedTwice() throws {
        var schedule = try Self.schedule(["a", "b"])
        #expect(schedule.take(at: Self.start) == ConnectionGUID("a"))
        #expect(schedule.take(at: Self.moment(1)) == ConnectionGUID("b"))
        schedule.heard(nil, from: ConnectionGUID("b"), at: Self.moment(1), jitter: 0.5)
        // "a" has not answered, and delays nobody.
        #expect(schedule.take(at: Self.moment(4)) == ConnectionGUID("b"))
        #expect(schedule.take(at: Self.moment(100)) == nil)
    }

    @Test func inactiveConnectionsAreNotAsked() throws {
        var schedule = try Self.schedule(["a"])
        schedule.heard(BankError(.connectionGone, "gone"), from: ConnectionGUID("a"), at: Self.start, jitter: 0)
        #expect(schedule.next == nil)
        schedule.follow([], at: Self.start)
        #expect(schedule.take(at: Self.moment(9)) == nil)
        schedule.follow([try Self.connection("b").guid], at: Self.moment(9))
        #expect(schedule.take(at: Self.moment(9)) == ConnectionGUID("b"))
        schedule.follow([], at: Self.moment(10))
        schedule.heard(nil, from: ConnectionGUID("b"), at: Self.moment(11), jitter: 0)
        #expect(schedule.next == nil)
    }
}

/// The events for the banks' answers, poll by poll.
struct ListDifferTests {
    /// One poll, and its events: `+77`, `~77`, `-77 status`, `failure`, `fault`, `recovered`.
    struct Poll: Sendable {
        var answer: Result<AuthorizationList, any Error>
        var told: [String]
        var at = World.now

        static func list(_ list: AuthorizationList, _ told: [String], at: Date = World.now) -> Poll {
            Poll(answer: .success(list), told: told, at: at)
        }
        static func failure(_ error: any Error, _ told: [String], at: Date = World.now) -> Poll {
            Poll(answer: .failure(error), told: told, at: at)
        }
    }

    static func words(_ events: [WatchEvent]) -> [String] {
        events.map { event in
            switch event {
            case .added(let item): "+\(item.authorization.id.text)"
            case .changed(let item): "~\(item.authorization.id.text)"
            case .removed(let item): "-\(item.authorization.id.text) \(item.authorization.status)"
            case .renaming(let item, let name): "\(item.reference) to \(name.text)"
            case .renamed(let item): "now \(item.reference)"
            case .decided(let item, _): "decided \(item.authorization.id.text)"
            case .failure(_, let error): error is ItemFault ? "fault" : "failure"
            case .recovered: "recovered"
            case .heard: "heard"
            }
        }
    }

    static func stories() throws -> [[Poll]] {
        let first = try World.authorization("77")
        let second = try World.authorization("78")
        let other = try World.authorization("77", content: 2)
        let processing = try World.authorization("77", status: .confirmProcessing)
        let id = first.id
        let timeless = try World.authorization("80", expiresIn: nil)
        let long = try World.authorization("77", expiresIn: 900)
        let down = BankError(.unreachable(), "down")
        var faulty = World.list([first])
        faulty.faults = [.unopened(BankID("79"))]
        var spoilt = World.list(listed: ["77"])
        spoilt.faults = [.unopened(id)]
        return [
            [.list(World.list(), []), .list(World.list([first]), ["+77"]), .list(World.list([first]), [])],
            [
                .list(World.list([second, first]), ["+77", "+78"]), .list(World.list([second]), ["-77 pending"]),
                .list(World.list([first]), ["-78 pending", "+77"]),
            ],
            [.list(World.list([first]), ["+77"]), .list(World.list([other]), ["~77"]), .list(World.list([other]), [])],
            // v2 tells the outcome.
            [.list(World.list([first]), ["+77"]), .list(World.list([processing]), ["-77 confirmProcessing"])],
            [.list(World.list([first]), ["+77"]), .list(World.list(settled: [id: .denied]), ["-77 denied"])],
            // Expired by our clock, even if the bank still lists it.
            [
                .list(World.list([first]), ["+77"]),
                .list(World.list([first]), ["-77 pending"], at: World.now.addingTimeInterval(300)),
            ],
            // While its bank is silent, a request without an expiry waits ten minutes at most; one with an expiry waits
            // until then.
            [
                .list(World.list([timeless]), ["+80"]), .failure(down, ["failure"], at: World.now + 600),
                .failure(down, ["-80 pending"], at: World.now + 601), .failure(down, [], at: World.now + 602),
                .list(World.list([timeless]), ["recovered", "+80"], at: World.now + 603),
            ],
            [.list(World.list([long]), ["+77"]), .failure(down, ["failure"], at: World.now + 601)],
            // A failure is told once, keeps the known requests, and ends with the next answer.
            [
                .list(World.list([first]), ["+77"]), .failure(down, ["failure"]), .failure(down, []),
                .failure(BankError(.refused, "no"), ["failure"]), .failure(down, ["failure"]),
                .list(World.list([first]), ["recovered"]), .failure(down, ["failure"]),
            ],
            [
                .list(World.list([first]), ["+77"]),
                .failure(BankError(.connectionGone, ""), ["failure", "-77 pending"]),
            ],
            [
                .list(faulty, ["+77", "fault"]), .list(faulty, []), .list(World.list([first]), []),
                .list(faulty, ["fault"]),
            ],
            // A request that was waiting can no longer be opened.
            [
                .list(World.list([first]), ["+77"]), .list(spoilt, ["-77 pending", "fault"]),
                .list(World.list([first]), ["+77"]),
            ],
        ]
    }

    @Test(arguments: 0..<12)
    func tellsWhatIsNew(_ number: Int) throws {
        let connection = try PollScheduleTests.connection("fernbank")
        var differ = ListDiffer()
        for poll in try Self.stories()[number] {
            let events = differ.take(Inbox.Answer(connection: connection, result: poll.answer), at: poll.at)
            #expect(Self.words(events) == poll.told)
        }
    }

    /// Items that cannot be opened, even if they could be before, are no reason to ask again soon.
    @Test func faultsAreNoNews() throws {
        let connection = try PollScheduleTests.connection("fernbank")
        let (first, second) = (try World.authorization("77"), try World.authorization("78"))
        var differ = ListDiffer()
        let polls: [([Authorization], faults: [ItemFault], isNews: Bool)] = [
            ([], [.unopened(second.id)], false), ([], [.unopened(nil)], false),
            ([], [ItemFault(id: second.id, reason: "another")], false), ([], [], false), ([first], [], true),
            ([first], [.unopened(second.id)], false), ([], [.unopened(first.id)], false), ([], [], false),
            ([first], [.unopened(second.id)], true), ([], [.unopened(second.id)], true),
        ]
        for (authorizations, faults, isNews) in polls {
            var list = World.list(authorizations, listed: faults.compactMap(\.id?.text))
            list.faults = faults
            let events = differ.take(Inbox.Answer(connection: connection, result: .success(list)), at: World.now)
            #expect(events.contains { $0.isNews(besides: list.faulty) } == isNews)
        }
    }

    @Test func theItemsOfRemovedConnectionsAreRemoved() throws {
        let one = try PollScheduleTests.connection("one")
        let two = try PollScheduleTests.connection("two")
        var differ = ListDiffer()
        for (connection, id) in [(one, "1"), (two, "2")] {
            let list = World.list([try World.authorization(id)])
            _ = differ.take(Inbox.Answer(connection: connection, result: .success(list)), at: World.now)
        }
        #expect(Self.words(differ.keep(only: [one, two])) == [])
        let inactive = try PollScheduleTests.connection("two", status: .inactive)
        #expect(Self.words(differ.keep(only: [one, inactive])) == ["-2 pending", "failure"])
        #expect(Self.words(differ.keep(only: [one, inactive])) == [])
        // Once settled, it may end again.
        let again = differ.take(Inbox.Answer(connection: two, result: .success(World.list())), at: World.now)
        #expect(Self.words(again) == ["recovered"])
        #expect(Self.words(differ.keep(only: [one, two])) == [])
        let gone = Inbox.Answer(connection: two, result: .failure(BankError(.connectionGone, "gone")))
        #expect(Self.words(differ.take(gone, at: World.now)) == ["failure"])
        // The bank's own answer has told it already.
        #expect(Self.words(differ.keep(only: [one, inactive])) == [])
        #expect(Self.words(differ.keep(only: [])) == ["-1 pending"])
        #expect(Self.words(differ.keep(only: [])) == [])
    }
}

/// Five minutes without a key.
struct UnlockSpanTests {
    /// Keys at these seconds; whether the unlock is over at that second.
    @Test(
        arguments: [
            ([], 299.0, false), ([], 300, true), ([299], 598, false), ([299], 599, true), ([100, 200], 500, true),
            // A key after the end does not reopen it.
            ([300], 301, true),
        ] as [([Double], Double, Bool)])
    func ends(_ keys: [Double], _ at: Double, _ isOver: Bool) {
        var span = UnlockSpan(from: PollScheduleTests.start)
        for key in keys { span.use(at: PollScheduleTests.moment(key)) }
        #expect(span.isOver(at: PollScheduleTests.moment(at)) == isOver)
    }
}
