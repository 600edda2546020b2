import Approvals
import Basics
import Dialogue
import FoundationEssentials
import ApprovalModel
import Testing

private let now = Date(timeIntervalSince1970: 1_900_000_000)
private let asked = Audience.person(typesWords: true)
private let inWindows = Audience.person(typesWords: false)

private func card(
    _ parts: [AuthorizationContent.Part] = [.text(BankText("To Fern Books"))], status: AuthorizationStatus = .pending,
    expiresAt: Date? = now + 300, denialNeedsPIN: Bool = false, options: [String]? = nil, caution: Caution? = nil,
    needsPosition: Bool = false, isWordless: Bool = false
) throws -> Card {
    Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("7")), status: status,
            title: BankText("Pay 9.90 EUR"), content: AuthorizationContent(parts: parts), source: BankText("{}"),
            code: nil, createdAt: nil, expiresAt: expiresAt,
            fingerprint: try #require(Fingerprint(bytes: Array(0..<32))), denialPassesAsApproval: denialNeedsPIN,
            needsPosition: needsPosition,
            options: options?.map { BankText($0) }, isWordless: isWordless, caution: caution),
        bank: BankText("Fern Bank"), host: "sca.fernbank.example", connection: try #require(ConnectionName("fern")))
}

private let payment = AuthorizationContent.Part.payment([
    LabelledText(key: "payee", value: BankText("Fern Books")), LabelledText(key: "amount", value: BankText("9.90 EUR")),
])

/// Gives these answers one after the other, then yes to all that follows. Returns the questions, and how it ended.
private func walk(_ dialogue: DecisionDialogue, _ answers: [Answer] = []) -> ([Ask], DecisionDialogue.Next) {
    var (dialogue, answers, asks) = (dialogue, answers[...], [Ask]())
    var next = dialogue.next()
    while case .ask(let ask) = next {
        asks.append(ask)
        next = dialogue.next(answers.popFirst() ?? .yes)
    }
    return (asks, next)
}

private func dialogue(
    _ card: Card, _ terms: DecisionDialogue.Terms = .init(), _ past: DecisionPast = .init(),
    _ audience: Audience = asked, to verdict: Verdict = .approve
) -> DecisionDialogue {
    DecisionDialogue(verdict, on: card, terms, past, before: audience, at: now)
}

private func kind(_ next: DecisionDialogue.Next) -> Failure.Kind? {
    if case .end(let failure) = next { failure.kind } else { nil }
}

@Suite struct DecisionDialogues {
    private let pin = DecisionDialogue.Next.decide(option: nil, pin: .pin(choosing: nil))

    @Test func anApprovalShowsTheCardAndTakesThePIN() throws {
        for audience in [asked, inWindows] {
            let (asks, end) = walk(dialogue(try card(), .init(), .init(), audience))
            #expect(asks == [.card(isDemanded: true)] && end == pin)
        }
        // A script has named the content by its fingerprint.
        let (asks, end) = walk(dialogue(try card(), .init(), .init(), .nobody))
        #expect(asks.isEmpty && end == pin)
    }

    @Test func everythingAtOnceComesInThisOrder() throws {
        let all = try card(options: ["7", "12"], caution: .lastAttempt, isWordless: true)
        let terms = DecisionDialogue.Terms(hasPIN: true, isByKey: true)
        let answers: [Answer] = [.yes, .typed("pay 9.90 eur"), .typed("Pay 9.90 EUR"), .yes, .yes, .typed("12")]
        let (asks, end) = walk(dialogue(all, terms, DecisionPast(isRepetition: true, refusals: 1)), answers)
        #expect(
            asks == [
                .card(isDemanded: true), .distinction, .title, .caution(.lastAttempt), .anotherChoice,
                .option(["7", "12"], isAgain: false), .agreement,
            ])
        #expect(end == .decide(option: "12", pin: .pin(choosing: "12")))
    }

    @Test(arguments: [
        (["9.90 EUR"], nil), (["9,90 EUR"], Failure.Kind.cancelled), ([""], .cancelled), (["Pay 9.90 EUR"], .cancelled),
    ])
    func aRepetitionTakesTheAmount(_ typed: [String], _ failure: Failure.Kind?) throws {
        let repeated = dialogue(try card([payment]), .init(), DecisionPast(isRepetition: true))
        #expect(repeated.asksMore)
        let (asks, end) = walk(repeated, [.yes] + typed.map { .typed($0) })
        #expect(asks == [.card(isDemanded: true), .distinction] && kind(end) == failure)
    }

    @Test func aRepetitionIsAskedWhereverAPersonIsAlsoWithAPINFile() throws {
        for audience in [asked, inWindows] {
            let repeated = dialogue(try card(), .init(hasPIN: true), DecisionPast(isRepetition: true), audience)
            #expect(walk(repeated).0.contains(.distinction))
        }
        #expect(walk(dialogue(try card(), .init(), DecisionPast(isRepetition: true), .nobody)).0.isEmpty)
    }

    @Test func eachNoEndsItAndNothingIsAskedAfter() throws {
        let all = try card(options: ["7"], caution: .mayBlock, isWordless: true)
        let past = DecisionPast(isRepetition: true, refusals: 1)
        let right: [Answer] = [.yes, .typed("Pay 9.90 EUR"), .typed("Pay 9.90 EUR"), .yes, .yes, .typed("7")]
        for place in right.indices {
            let (asks, end) = walk(dialogue(all, .init(), past), Array(right[..<place]) + [.no])
            #expect(asks.count == place + 1 && kind(end) == .cancelled, "at \(place)")
        }
    }

    @Test func aMissingAnswerIsANo() throws {
        var repeated = dialogue(try card(), .init(), DecisionPast(isRepetition: true))
        #expect(repeated.next() == .ask(.card(isDemanded: true)))
        #expect(kind(repeated.next()) == .cancelled && kind(repeated.next(.yes)) == .cancelled)
    }

    @Test func aYesIsNoTypedText() throws {
        let repeated = dialogue(try card(), .init(), DecisionPast(isRepetition: true))
        #expect(kind(walk(repeated, [.yes, .yes]).1) == .cancelled)
    }

    @Test func aWrongOptionIsAskedAgainThreeTimesAtMost() throws {
        let choosing = dialogue(try card(options: ["red", "blue"]))
        let (asks, end) = walk(choosing, [.yes, .typed("green"), .typed("BLUE")])
        #expect(
            asks.suffix(2) == [.option(["red", "blue"], isAgain: false), .option(["red", "blue"], isAgain: true)])
        #expect(end == .decide(option: "blue", pin: .pin(choosing: "blue")))
        let wrong = walk(choosing, [.yes] + Array(repeating: .typed("green"), count: 5))
        #expect(wrong.0.count == 4 && kind(wrong.1) == .cancelled)
    }

    @Test func aNamedOptionIsNotAskedFor() throws {
        let named = dialogue(try card(options: ["red", "blue"]), .init(option: "red"))
        let (asks, end) = walk(named)
        #expect(asks == [.card(isDemanded: true)] && end == .decide(option: "red", pin: .pin(choosing: "red")))
    }

    @Test func aCautionIsAcceptedBeforehandUnlessItIsTheLastAttempt() throws {
        let terms = DecisionDialogue.Terms(acceptsCaution: true)
        #expect(walk(dialogue(try card(caution: .mayBlock), terms)).0 == [.card(isDemanded: true)])
        #expect(walk(dialogue(try card(caution: .lastAttempt), terms)).0.contains(.caution(.lastAttempt)))
        #expect(walk(dialogue(try card(caution: .mayBlock), terms, .init(), .nobody)).1 == pin)
    }

    /// Nothing is asked for a decision that cannot be made.
    @Test func whatEndsItBeforeTheFirstQuestion() throws {
        typealias Row = (Card, Verdict, DecisionDialogue.Terms, DecisionPast, Audience, Failure.Kind)
        let plain = DecisionDialogue.Terms()
        let rows: [Row] = [
            (try card(status: .confirmProcessing), .approve, plain, .init(), asked, .unknown),
            (try card(status: .denyProcessing), .deny, plain, .init(), asked, .unknown),
            (try card(status: .denied), .approve, plain, .init(), asked, .notFound),
            (try card(expiresAt: now), .approve, plain, .init(), asked, .expired),
            (try card(expiresAt: now, denialNeedsPIN: true), .deny, plain, .init(), asked, .expired),
            (try card(needsPosition: true), .approve, plain, .init(), asked, .usage),
            (try card(isWordless: true), .approve, plain, .init(), inWindows, .locked),
            (try card(caution: .mayBlock), .approve, plain, .init(), .nobody, .usage),
            (try card(caution: .lastAttempt), .approve, .init(acceptsCaution: true), .init(), .nobody, .usage),
            (try card(options: []), .approve, plain, .init(), asked, .refused),
            (try card(options: ["7"]), .approve, plain, DecisionPast(refusals: 2), asked, .refused),
            (try card(options: ["7"]), .approve, .init(option: "8"), .init(), asked, .usage),
            (try card(options: ["7"]), .approve, plain, .init(), .nobody, .usage),
        ]
        for (index, row) in rows.enumerated() {
            let (asks, end) = walk(dialogue(row.0, row.2, row.3, row.4, to: row.1))
            #expect(asks.isEmpty && kind(end) == row.5, "row \(index)")
        }
    }

    @Test func aDenialTakesAYesOrThePIN() throws {
        let done = DecisionDialogue.Next.decide(option: nil, pin: nil)
        for expiry in [now + 300, now - 300] {
            let (asks, end) = walk(dialogue(try card(expiresAt: expiry), to: .deny))
            #expect(asks == [.card(isDemanded: false), .agreement] && end == done)
        }
        #expect(walk(dialogue(try card(), .init(isAgreed: true), to: .deny)) == ([], done))
        #expect(walk(dialogue(try card(), .init(), .init(), .nobody, to: .deny)) == ([], done))
        let sealed = try card(denialNeedsPIN: true)
        #expect(walk(dialogue(sealed, .init(isAgreed: true), to: .deny)) == ([.card(isDemanded: true)], pin))
        #expect(
            walk(dialogue(sealed, .init(isAgreed: true, hasPIN: true), to: .deny)) == (
                [.card(isDemanded: true), .agreement], pin
            ))
    }

    @Test func thePastIsReadFromTheLog() throws {
        let seen = try card([payment])
        func entry(_ age: Double, _ outcome: Outcome, amount: String = "9.90 EUR") -> HistoryPayload.Entry {
            let shown = ShownCard(
                connection: ConnectionGUID("c-1"), connectionName: seen.connection, bank: BankText("Fern Bank"),
                host: seen.host.line, id: BankID("7")!, title: BankText("Pay 9.90 EUR"), text: "",
                fields: ["amount": amount], source: nil, code: nil, expiresAt: nil, fingerprint: seen.fingerprint)
            let entry = DecisionEntry(
                sequence: 1, at: now - age, shown: shown, verdict: .approve,
                requester: Requester(pid: 1, uid: 1, commands: []), signedBytes: [], signature: "", outcome: outcome,
                basis: nil,
                outcomeAt: nil, isFinal: true, hash: "")
            return HistoryPayload.Entry(entry, withSource: false)
        }
        let clock = Clock(now: { now }, boot: { nil })
        for (entries, expected) in [
            ([entry(30, .confirmed)], DecisionPast(isRepetition: true)), ([entry(601, .confirmed)], DecisionPast()),
            ([entry(30, .confirmed, amount: "9.91 EUR")], DecisionPast()),
            ([entry(30, .refused), entry(20, .refused)], DecisionPast(refusals: 2)),
            ([entry(30, .unknown), entry(700, .refused)], DecisionPast(isRepetition: true, refusals: 1)),
        ] {
            var fatigue = FatigueGuard()
            let read = DecisionPast(of: seen, .init(lately: entries, there: entries), &fatigue, by: clock)
            #expect(read == expected)
        }
    }
}
