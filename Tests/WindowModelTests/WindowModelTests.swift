import ApprovalModel
import Approvals
import Basics
import Cryptography
import Dialogue
import FoundationEssentials
import Testing
import WindowModel

private let start = Date(timeIntervalSince1970: 1_900_000_000)

private func card(
    _ id: Int = 7, content: Int = 1, in seconds: Double = 300, title: String = "Confirm this payment",
    denialNeedsPIN: Bool = false, options: [String]? = nil, isWordless: Bool = false, isClosed: Bool = false
) throws -> Card {
    let payment = AuthorizationContent.Part.payment([
        LabelledText(key: "payee", value: BankText("Fern Books")),
        LabelledText(key: "amount", value: BankText("9.90 EUR")),
    ])
    return Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("\(id)")), status: isClosed ? .closed : .pending,
            title: BankText(title), content: AuthorizationContent(parts: [payment]), source: BankText("{}"), code: nil,
            createdAt: nil, expiresAt: start + seconds,
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: UInt8(content), count: 32))),
            denialPassesAsApproval: denialNeedsPIN, options: options?.map { BankText($0) }, isWordless: isWordless),
        bank: BankText("Fern Bank"), host: "sca.fernbank.example", connection: try #require(ConnectionName("fern")))
}

/// A window whose clock stands still until it is moved.
private struct Person {
    var model = WindowModel()
    var effects: [WindowEffect] = []
    private var moment = ContinuousClock.Instant.now
    private var now = start

    @discardableResult
    mutating func take(_ event: WindowEvent) -> Person {
        effects = model.take(event, at: now, moment)
        return self
    }

    mutating func wait(_ seconds: Double) {
        moment += .seconds(seconds)
        now += seconds
        take(.tick)
    }

    mutating func hear(_ kind: Event.Kind) { take(.heard(Event(kind, at: now))) }

    var screen: Screen { model.screen(at: now, moment) }
    var page: Screen.CardPage? { if case .card(let page) = screen { page } else { nil } }
    var result: Screen.ResultPage? { if case .result(let page) = screen { page } else { nil } }
    var rows: [String] { if case .requests(let list) = screen { list.rows.map(\.reference) } else { [] } }
    var locked: Screen.Locked? { if case .locked(let locked) = screen { locked } else { nil } }

    /// What leaves the window as a decision.
    var decision: (Verdict, DecisionRequest, hasPIN: Bool)? {
        for case .decide(let verdict, let request, let pin) in effects { return (verdict, request, pin != nil) }
        return nil
    }

    /// An open window with this request on the screen.
    static func looking(at card: Card) -> Person {
        var person = Person()
        person.take(.connected(isOpen: true, waiting: nil))
        person.hear(.added(card))
        guard case .requests(let list) = person.screen else { return person }
        person.take(.open(list.rows[0].number))
        return person
    }

    /// As before, and the card was read to its end.
    static func havingRead(_ card: Card) -> Person {
        var person = looking(at: card)
        person.take(.sawEnd)
        person.wait(1)
        return person
    }

    /// Presses a decision, whose earlier decisions are these.
    mutating func decide(_ verdict: Verdict, on card: Card, _ past: DecisionPast = .init()) {
        take(.decide(verdict))
        take(.past(past, of: card.fingerprint.hex))
    }
}

private func pin(_ text: String = "271828") throws -> LockedBytes {
    var bytes = Array(text.utf8)
    return try LockedBytes(wiping: &bytes)
}

private func failure(_ kind: Failure.Kind, _ message: String, again: Bool = false) -> Failure {
    var failure = Failure(kind, message)
    failure.mayTryAgain = again
    return failure
}

@Suite struct Unlocking {
    @Test func thePINGoesToTheAgentOnce() throws {
        var person = Person()
        person.take(.connected(isOpen: false, waiting: 3))
        #expect(person.locked?.waiting == "3 requests wait")
        person.take(.unlock(try pin()))
        #expect(person.locked?.isBusy == true)
        let second = try pin()
        person.take(.unlock(second))
        #expect(person.effects.isEmpty && second.count == 0)
        person.take(.unlockFailed(failure(.locked, "wrong PIN; 8 tries are left", again: true)))
        #expect(person.locked?.trouble?.message == "Wrong PIN; 8 tries are left." && person.locked?.isBusy == false)
        person.hear(.unlocked)
        #expect(person.locked == nil && person.rows.isEmpty)
    }

    @Test func aLockTakesEverythingAway() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.hear(.locked)
        #expect(person.locked != nil)
        // What comes late shows nothing, and a PIN that was typed meanwhile is wiped.
        let late = try pin()
        person.take(.pin(late))
        person.hear(.added(try card(8)))
        #expect(person.effects.isEmpty && late.count == 0 && person.locked != nil)
        person.hear(.waiting(1))
        #expect(person.locked?.waiting == "1 request waits")
    }

    @Test func theEndOfTheAgentIsSaid() {
        var person = Person()
        person.take(.connected(isOpen: true, waiting: nil))
        person.take(.disconnected(failure(.internal, "the agent has ended")))
        guard case .stopped(let trouble) = person.screen else {
            Issue.record("\(person.screen)")
            return
        }
        #expect(trouble.message == "The agent has ended.")
    }
}

@Suite struct Reading {
    @Test func onlyAnEndThatWasSeenAndASecondArm() throws {
        var person = Person.looking(at: try card())
        person.wait(5)
        #expect(person.page?.canApprove == false)
        person.take(.decide(.approve))
        #expect(person.effects.filter { if case .learnPast = $0 { true } else { false } }.isEmpty)
        person.take(.sawEnd)
        #expect(person.page?.canApprove == true)

        var quick = Person.looking(at: try card())
        quick.take(.sawEnd)
        quick.wait(0.9)
        #expect(quick.page?.canApprove == false)
        quick.wait(0.1)
        #expect(quick.page?.canApprove == true)
    }

    @Test func otherContentDisarmsAndTakesTheQuestionBack() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        #expect(person.page?.question?.input == .pin)
        let before = person.page?.version
        person.hear(.changed(try card(content: 2)))
        #expect(person.page?.question == nil && person.page?.canApprove == false && person.page?.version != before)
        #expect(person.page?.note == "The bank changed this request. Read it again.")
        let late = try pin()
        person.take(.pin(late))
        #expect(person.decision == nil && late.count == 0)
        person.wait(5)
        #expect(person.page?.canApprove == false)
    }

    @Test func aRequestThatArrivesDoesNotTakeThePage() throws {
        var person = Person.havingRead(try card())
        let before = person.screen
        person.hear(.added(try card(8, in: 60)))
        #expect(person.screen == before)
        person.take(.back)
        #expect(person.rows == ["fern:8", "fern:7"])
    }

    @Test func theEndOfARequestIsSaid() throws {
        var gone = Person.havingRead(try card())
        gone.decide(.approve, on: try card())
        gone.hear(.removed(try card(), renamedTo: nil))
        #expect(gone.result?.headline == "Withdrawn" && gone.result?.about == "9.90 EUR · Fern Books")
        var expired = Person.havingRead(try card())
        expired.wait(300)
        #expect(expired.result?.headline == "Expired")
    }
}

@Suite struct Deciding {
    @Test func anApprovalNamesWhatWasShown() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        #expect(person.page?.question?.headline == "PIN to approve")
        #expect(person.page?.question?.recap == ["9.90 EUR", "Fern Books"])
        person.take(.pin(try pin()))
        let decision = try #require(person.decision)
        #expect(decision.0 == .approve && decision.hasPIN)
        let shown = try card().fingerprint
        #expect(decision.1.ref == "fern:7" && decision.1.fingerprint == shown)
        // While it is on its way nothing takes it back, and its own removal is no news.
        person.take(.cancel)
        person.take(.back)
        person.hear(.removed(try card(), renamedTo: nil))
        #expect(person.page?.isSending == true)
    }

    @Test func aWrongPINAsksAgain() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.take(.pin(try pin()))
        person.take(.decided(.failure(failure(.locked, "wrong PIN; 8 tries are left", again: true))))
        #expect(
            person.page?.question?.input == .pin && person.page?.question?.trouble == "Wrong PIN; 8 tries are left.")
        person.take(.cancel)
        #expect(person.page?.question == nil && person.page?.canApprove == true)
    }

    @Test func aDenialAsksOnceAndWaitsForNoEnd() throws {
        var person = Person.looking(at: try card())
        person.decide(.deny, on: try card())
        #expect(
            person.page?.question?.headline == "Deny this?"
                && person.page?.question?.input == Screen.Question.Input.none)
        person.take(.answer(.yes))
        #expect(person.decision?.0 == .deny && person.decision?.hasPIN == false)
    }

    /// A PIN that signs content is asked for only after the card was read, also for a denial.
    @Test func aDenialByPINWaitsForTheEnd() throws {
        let card = try card(denialNeedsPIN: true)
        var person = Person.looking(at: card)
        person.decide(.deny, on: card)
        #expect(person.page?.question?.isEarly == true)
        person.take(.answer(.yes))
        #expect(person.page?.question?.isEarly == true)
        person.take(.sawEnd)
        person.wait(1)
        #expect(person.page?.question?.input == .pin && person.page?.question?.headline == "PIN to deny")
    }

    @Test func theQuestionsOfTheDialogueComeBeforeThePIN() throws {
        let card = try card(options: ["7", "12"], isWordless: true)
        var person = Person.havingRead(card)
        person.decide(.approve, on: card, DecisionPast(isRepetition: true))
        #expect(person.page?.question?.input == .text(name: "Type the amount"))
        person.take(.answer(.typed("9.90 EUR")))
        #expect(person.page?.question?.input == .text(name: "Type the title"))
        person.take(.answer(.typed("confirm this payment")))
        #expect(person.page?.question?.input == .options(["7", "12"]))
        person.take(.answer(.typed("12")))
        #expect(person.page?.question?.recap.first == "Choice: 12")
        person.take(.pin(try pin()))
        #expect(person.decision?.1.option == "12")
    }

    @Test func aWrongAmountEndsIt() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card(), DecisionPast(isRepetition: true))
        person.take(.answer(.typed("99 EUR")))
        #expect(person.page?.question == nil)
        #expect(person.page?.note == "That is not the amount; nothing was sent.")
    }

    @Test func aFailureOfTheBankIsAResult() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.take(.pin(try pin()))
        person.take(.decided(.failure(failure(.unreachable, "the bank does not answer"))))
        #expect(person.result?.headline == "Not sent" && person.result?.words == "The bank does not answer.")
    }

    @Test func contentThatChangedIsFetched() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.take(.pin(try pin()))
        person.take(.decided(.failure(failure(.changed, "the content changed"))))
        guard case .fetch(reference: "fern:7")? = person.effects.first else {
            Issue.record("\(person.screen)")
            return
        }
        person.take(.fetched(try card(content: 2)))
        #expect(person.page?.canApprove == false && person.page?.note?.hasPrefix("The bank changed") == true)
    }
}
