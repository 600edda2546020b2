@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Testing

/// Crowds and repetitions.
struct FatigueGuardTests {
    static func moment(_ seconds: Double) -> ContinuousClock.Instant { PollScheduleTests.moment(seconds) }

    static func request(
        _ title: String = "Pay 9.90 EUR", amount: String? = nil, content: Int
    ) throws -> FatigueGuard.Request {
        let digits = String(content, radix: 16)
        let hex = String(repeating: "0", count: 64 - digits.count) + digits
        return FatigueGuard.Request(
            fingerprint: try #require(Fingerprint(hex: hex)), title: title,
            amount: amount, shape: amount == nil ? [] : ["amount"])
    }

    /// Whether two requests form a crowd.
    @Test(
        arguments: [
            ("Pay 9.90 EUR", nil, 0.0, 2),
            ("pay  9.90 EUR ", nil, 60, 2),
            ("Pay 9.90 EUR", nil, 61, 1),
            ("Pay 9.91 EUR", nil, 0, 1),
            ("Pay 9.90 EUR", "9.90", 0, 1),
        ] as [(String, String?, Double, Int)])
    func crowds(_ title: String, _ amount: String?, _ later: Double, _ count: Int) throws {
        var fatigue = FatigueGuard()
        let first = try Self.request(content: 1)
        let second = try Self.request(title, amount: amount, content: 2)
        fatigue.arrived(first, at: Self.moment(0))
        fatigue.arrived(second, at: Self.moment(later))
        #expect(fatigue.crowd(around: second) == count)
        #expect(fatigue.crowd(around: first) == count)
    }

    /// A bank that lists more than anybody can answer does not fill the memory; a minute later, crowds are noticed
    /// again.
    @Test func aFloodIsForgotten() throws {
        var fatigue = FatigueGuard()
        func flood(_ numbers: Range<Int>, at seconds: Double) throws {
            for number in numbers { fatigue.arrived(try Self.request(content: number), at: Self.moment(seconds)) }
        }
        try flood(0..<FatigueGuard.mostArrivals, at: 0)
        let late = try Self.request(content: 1_000_000)
        fatigue.arrived(late, at: Self.moment(30))
        #expect(fatigue.crowd(around: late) == 1)
        let (one, two) = (try Self.request(content: 1_000_001), try Self.request(content: 1_000_002))
        fatigue.arrived(one, at: Self.moment(90))
        fatigue.arrived(two, at: Self.moment(100))
        #expect(fatigue.crowd(around: two) == 2)
    }

    @Test func aRequestThatComesBackAfterALockIsNoCrowd() throws {
        var fatigue = FatigueGuard()
        let request = try Self.request(content: 1)
        let other = try Self.request(content: 2)
        fatigue.arrived(request, at: Self.moment(0))
        fatigue.arrived(other, at: Self.moment(100))
        fatigue.arrived(request, at: Self.moment(130))
        #expect(fatigue.crowd(around: request) == 1)
        #expect(fatigue.crowd(around: other) == 1)
    }

    @Test(
        arguments: [
            ("Pay 9.90 EUR", "9.90 EUR", 0.0, true),
            ("PAY 9.90 EUR", "9.90  EUR", 600, true),
            ("Pay 9.90 EUR", "9.90 EUR", 601, false),
            ("Pay 9.90 EUR", "9.91 EUR", 0, false),
            ("Pay 9.90 EUR", nil, 0, false),
            ("Sign in", "9.90 EUR", 0, false),
        ] as [(String, String?, Double, Bool)])
    func repetitions(_ title: String, _ amount: String?, _ later: Double, _ expected: Bool) throws {
        var fatigue = FatigueGuard()
        let second = try Self.request(title, amount: amount, content: 2)
        #expect(!fatigue.isRepetition(second, at: Self.moment(0)))
        fatigue.approved(try Self.request(amount: "9.90 EUR", content: 1), at: Self.moment(0))
        #expect(fatigue.isRepetition(second, at: Self.moment(later)) == expected)
    }

    @Test func theLatestApprovalCounts() throws {
        var fatigue = FatigueGuard()
        let request = try Self.request(amount: "9.90 EUR", content: 1)
        fatigue.approved(request, at: Self.moment(300))
        fatigue.approved(request, at: Self.moment(0))
        #expect(fatigue.isRepetition(request, at: Self.moment(900)))
    }

    @Test func aRequestOfAnotherShapeIsNoCrowd() throws {
        var fatigue = FatigueGuard()
        let text = try Self.request(content: 1)
        var page = try Self.request(content: 2)
        page.shape = ["html"]
        for request in [text, page] { fatigue.arrived(request, at: Self.moment(0)) }
        #expect(fatigue.crowd(around: text) == 1 && fatigue.crowd(around: page) == 1)
    }
}

/// What the guard learns from the log of decisions.
struct FatigueGuardLearningTests {
    /// An entry of the log in the form of `history`, `age` seconds old.
    private static func entry(
        fields: [String: String]?, text: String = "", _ verdict: Verdict = .approve, outcome: Outcome = .confirmed,
        age: Double = 60
    ) throws -> HistoryPayload.Entry {
        var entry = try World.entry(verdict, outcome: outcome, age: age)
        entry.shown.text = text
        entry.shown.fields = fields
        return HistoryPayload.Entry(entry, withSource: false)
    }

    private static func guardThatLearned(from entry: HistoryPayload.Entry) -> FatigueGuard {
        var fatigue = FatigueGuard()
        fatigue.learn(from: [entry], by: World.clock)
        return fatigue
    }

    private static func isRepetition(_ amount: String?, after entry: HistoryPayload.Entry) throws -> Bool {
        guardThatLearned(from: entry).isRepetition(try FatigueGuardTests.request(amount: amount, content: 2), at: .now)
    }

    /// Neither the label nor its language matters: the amount is the value of the field.
    @Test(arguments: ["Amount: 5.00 EUR\nTo: Fern Books", "Betrag: 9.90 EUR", ""])
    func theAmountOfAnEntryIsItsField(_ text: String) throws {
        let entry = try Self.entry(fields: ["amount": "9.90 EUR", "payee": "Fern Books"], text: text)
        #expect(try Self.isRepetition("9.90 EUR", after: entry))
        #expect(try !Self.isRepetition("5.00 EUR", after: entry))
        #expect(try !Self.isRepetition(nil, after: entry))
    }

    @Test(arguments: [[:], ["payee": "Fern Books"], ["amount": " "]])
    func anEntryWithoutAnAmountIsAboutItsTitle(_ fields: [String: String]) throws {
        let entry = try Self.entry(fields: fields, text: "Amount: 9.90 EUR")
        #expect(try Self.isRepetition(nil, after: entry))
        #expect(try !Self.isRepetition("9.90 EUR", after: entry))
    }

    /// Earlier versions kept no fields, so it is not known which amount was approved.
    @Test func anEntryWithoutFieldsCountsForAnyAmount() throws {
        let entry = try Self.entry(fields: nil, text: "Amount: 9.90 EUR")
        #expect(try Self.isRepetition("9.90 EUR", after: entry))
        #expect(try Self.isRepetition("5.00 EUR", after: entry))
        #expect(try Self.isRepetition(nil, after: entry))
        #expect(
            !Self.guardThatLearned(from: entry).isRepetition(
                try FatigueGuardTests.request("Log in", content: 2), at: .now))
        #expect(try !Self.isRepetition("9.90 EUR", after: try Self.entry(fields: nil, age: 601)))
    }

    @Test(arguments: [Outcome.confirmed, .processing, .unknown])
    func aPossibleApprovalCounts(_ outcome: Outcome) throws {
        #expect(try Self.isRepetition("9.90 EUR", after: Self.entry(fields: ["amount": "9.90 EUR"], outcome: outcome)))
    }

    @Test(arguments: [Outcome.denied, .refused, .expired])
    func anythingButAnApprovalDoesNotCount(_ outcome: Outcome) throws {
        let fields = ["amount": "9.90 EUR"]
        #expect(try !Self.isRepetition("9.90 EUR", after: Self.entry(fields: fields, outcome: outcome)))
        #expect(try !Self.isRepetition("9.90 EUR", after: Self.entry(fields: fields, .deny, outcome: .confirmed)))
        #expect(try !Self.isRepetition("9.90 EUR", after: Self.entry(fields: fields, age: 601)))
    }

    /// The whole way: an authorization of a bank, its card, the log's entry, and the next authorization with the same
    /// amount.
    @Test func theAmountGoesFromTheCardThroughTheLog() throws {
        let world = try World()
        func authorization(_ id: String, _ amount: String, _ content: UInt8) throws -> Authorization {
            let members = [("payee", "Fern Books"), ("amount", amount)]
            return Authorization(
                connection: world.connection.guid, id: try #require(BankID(id)), status: .pending,
                title: BankText("Pay for books"),
                content: AuthorizationContent(
                    parts: [.payment(members.map { LabelledText(key: $0, value: BankText($1)) })]),
                source: BankText("{}"), code: nil, createdAt: nil, expiresAt: World.now.addingTimeInterval(300),
                fingerprint: try #require(Fingerprint(bytes: [UInt8](repeating: content, count: 32))))
        }
        let first = try authorization("1", "9.90 EUR", 1)
        var approved = try World.entry(outcome: .confirmed, age: 60)
        approved.shown = Card(first, of: world.connection).shown(first, of: world.connection)
        #expect(approved.shown.fields == ["payee": "Fern Books", "amount": "9.90 EUR"])
        let fatigue = Self.guardThatLearned(from: HistoryPayload.Entry(approved, withSource: false))
        func isRepetition(_ amount: String) throws -> Bool {
            fatigue.isRepetition(Card(try authorization("2", amount, 2), of: world.connection).request, at: .now)
        }
        #expect(try isRepetition("9.90 EUR"))
        #expect(try !isRepetition("99.00 EUR"))
    }
}
