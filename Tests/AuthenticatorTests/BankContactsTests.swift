@testable import Authenticator
import FoundationEssentials
import SCA
import Testing

/// How recent our knowledge of each bank is, and when that is told.
struct HearingsTests {
    static let later = World.now.addingTimeInterval(60)

    static func answer(_ name: String, _ error: BankError? = nil) throws -> Inbox.Answer {
        Inbox.Answer(
            connection: try PollScheduleTests.connection(name),
            result: error.map { .failure($0) } ?? .success(World.list()))
    }

    static func words(_ events: [WatchEvent]) -> [[String]] {
        events.map { event in
            guard case .heard(let all) = event else { return ["another event"] }
            return all.map { hearing in
                let moment = hearing.at.map { $0 == World.now ? "then" : "later" } ?? "never"
                return "\(hearing.connection.name.text) \(moment)\(hearing.failure == nil ? "" : ", fails")"
            }
        }
    }

    @Test func aFailingBankKeepsTheTimeOfItsLastAnswer() throws {
        var hearings = Hearings()
        hearings.isTold = true
        hearings.follow(try ["b", "a"].map { try PollScheduleTests.connection($0) })
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a never", "b never"]])
        hearings.note(try Self.answer("a"), askedAt: World.now)
        hearings.note(try Self.answer("b", PollScheduleTests.down), askedAt: World.now)
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a then", "b never, fails"]])
        hearings.note(try Self.answer("a", PollScheduleTests.down), askedAt: Self.later)
        hearings.note(try Self.answer("b"), askedAt: Self.later)
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a then, fails", "b later"]])
        // An answer of a connection that is gone changes nothing.
        hearings.follow([try PollScheduleTests.connection("b")])
        hearings.note(try Self.answer("a"), askedAt: Self.later)
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["b later"]])
    }

    @Test func anInactiveConnectionFailsUntilItIsSettled() throws {
        var hearings = Hearings()
        hearings.isTold = true
        let active = try PollScheduleTests.connection("a")
        hearings.follow([active])
        hearings.note(try Self.answer("a"), askedAt: World.now)
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a then"]])
        hearings.follow([try PollScheduleTests.connection("a", status: .inactive)])
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a then, fails"]])
        hearings.follow([active])
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a then"]])
    }

    @Test func withoutChangesItIsToldEveryFewSeconds() throws {
        var hearings = Hearings()
        hearings.isTold = true
        hearings.follow([try PollScheduleTests.connection("a")])
        hearings.note(try Self.answer("a"), askedAt: World.now)
        #expect(!hearings.news(at: PollScheduleTests.moment(0)).isEmpty)
        for (seconds, isTold) in [(0.5, false), (2.4, false), (2.5, true), (4, false), (5, true)] {
            hearings.note(try Self.answer("a"), askedAt: World.now)
            #expect(hearings.news(at: PollScheduleTests.moment(seconds)).isEmpty == !isTold)
        }
    }

    @Test func nothingIsToldUnlessAskedFor() throws {
        var hearings = Hearings()
        hearings.follow([try PollScheduleTests.connection("a")])
        #expect(hearings.news(at: PollScheduleTests.moment(0)).isEmpty)
        hearings.isTold = true
        #expect(Self.words(hearings.news(at: PollScheduleTests.moment(0))) == [["a never"]])
    }
}
