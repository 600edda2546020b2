@testable import Approvals
import FoundationEssentials
import ApprovalModel
import Testing

/// How recent our knowledge of each bank is, and when that is told.
struct BankContactsTests {
    static let later = World.now.addingTimeInterval(60)

    static func answer(_ name: String, _ error: BankError? = nil) throws -> Inbox.Answer {
        Inbox.Answer(
            connection: try PollScheduleTests.connection(name),
            result: error.map { .failure($0) } ?? .success(World.list()))
    }

    static func words(_ events: [WatchEvent]) -> [[String]] {
        events.map { event in
            guard case .heard(let all) = event else { return ["another event"] }
            return all.map { contact in
                let moment = contact.at.map { $0 == World.now ? "then" : "later" } ?? "never"
                return "\(contact.connection.name.text) \(moment)\(contact.failure == nil ? "" : ", fails")"
            }
        }
    }

    @Test func aFailingBankKeepsTheTimeOfItsLastAnswer() throws {
        var contacts = BankContacts()
        contacts.isTold = true
        contacts.follow(try ["b", "a"].map { try PollScheduleTests.connection($0) })
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a never", "b never"]])
        contacts.note(try Self.answer("a"), askedAt: World.now)
        contacts.note(try Self.answer("b", PollScheduleTests.down), askedAt: World.now)
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a then", "b never, fails"]])
        contacts.note(try Self.answer("a", PollScheduleTests.down), askedAt: Self.later)
        contacts.note(try Self.answer("b"), askedAt: Self.later)
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a then, fails", "b later"]])
        // An answer of a connection that is gone changes nothing.
        contacts.follow([try PollScheduleTests.connection("b")])
        contacts.note(try Self.answer("a"), askedAt: Self.later)
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["b later"]])
    }

    @Test func anInactiveConnectionFailsUntilItIsSettled() throws {
        var contacts = BankContacts()
        contacts.isTold = true
        let active = try PollScheduleTests.connection("a")
        contacts.follow([active])
        contacts.note(try Self.answer("a"), askedAt: World.now)
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a then"]])
        contacts.follow([try PollScheduleTests.connection("a", status: .inactive)])
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a then, fails"]])
        contacts.follow([active])
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a then"]])
    }

    @Test func withoutChangesItIsToldEveryFewSeconds() throws {
        var contacts = BankContacts()
        contacts.isTold = true
        contacts.follow([try PollScheduleTests.connection("a")])
        contacts.note(try Self.answer("a"), askedAt: World.now)
        #expect(!contacts.news(at: PollScheduleTests.moment(0)).isEmpty)
        for (seconds, isTold) in [(0.5, false), (2.4, false), (2.5, true), (4, false), (5, true)] {
            contacts.note(try Self.answer("a"), askedAt: World.now)
            #expect(contacts.news(at: PollScheduleTests.moment(seconds)).isEmpty == !isTold)
        }
    }

    @Test func nothingIsToldUnlessAskedFor() throws {
        var contacts = BankContacts()
        contacts.follow([try PollScheduleTests.connection("a")])
        #expect(contacts.news(at: PollScheduleTests.moment(0)).isEmpty)
        contacts.isTold = true
        #expect(Self.words(contacts.news(at: PollScheduleTests.moment(0))) == [["a never"]])
    }
}
