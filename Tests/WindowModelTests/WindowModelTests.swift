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
    denialNeedsPIN: Bool = false, options: [String]? = nil, isWordless: Bool = false, isClosed: Bool = false,
    waitingAtOnce: Int? = nil
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
            denialPassesAsApproval: denialNeedsPIN, options: options?.map { BankText($0) }, isWordless: isWordless,
            waitingAtOnce: waitingAtOnce),
        bank: BankText("Fern Bank"), host: "sca.fernbank.example", connection: try #require(ConnectionName("fern")))
}

/// A window whose clock stands still until it is moved.
private struct Person {
    var model = WindowModel()
    var effects: [WindowEffect] = []
    /// The last decision that left the window.
    private(set) var sent: (verdict: Verdict, request: DecisionRequest)?
    private var moment = ContinuousClock.Instant.now
    private var now = start

    @discardableResult
    mutating func take(_ event: WindowEvent) -> Person {
        effects = model.take(event, at: now, moment)
        if let decision { sent = (decision.0, decision.1) }
        return self
    }

    mutating func wait(_ seconds: Double) {
        moment += .seconds(seconds)
        now += seconds
        take(.tick)
    }

    mutating func seeEnd() {
        if let page { take(.sawEnd(number: page.number, version: page.version)) }
    }

    mutating func hear(_ kind: Event.Kind) { take(.heard(Event(kind, at: now))) }

    var screen: Screen { model.screen(at: now, moment) }
    var page: Screen.CardPage? { if case .card(let page) = screen { page } else { nil } }
    var result: Screen.ResultPage? { if case .result(let page) = screen { page } else { nil } }
    var rows: [String] { if case .requests(let list) = screen { list.rows.map(\.reference) } else { [] } }
    var locked: Screen.Locked? { if case .locked(let locked) = screen { locked } else { nil } }

    /// The decision that leaves the window.
    var decision: (Verdict, DecisionRequest, hasPIN: Bool)? {
        for case .decide(let verdict, let request, let pin) in effects { return (verdict, request, pin != nil) }
        return nil
    }

    /// The end of the last decision that was sent, or of an earlier one.
    mutating func end(
        _ result: Result<DecisionPayload, Failure>, of earlier: (verdict: Verdict, request: DecisionRequest)? = nil
    ) throws {
        let sent = try #require(earlier ?? sent)
        take(.decided(sent.verdict, sent.request, result))
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
        person.seeEnd()
        person.wait(1)
        return person
    }

    /// As before, and the approval of the card is on its way.
    static func approving(_ card: Card) throws -> Person {
        var person = havingRead(card)
        person.decide(.approve, on: card)
        person.take(.pin(try pin()))
        try #require(person.page?.isSending == true)
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

private func decision(_ outcome: Outcome, _ verdict: Verdict = .approve, on card: Card) -> DecisionPayload {
    var decision = DecisionPayload(
        card.reference, verdict, fingerprint: card.fingerprint, at: start, failure: Failure(.internal, "none"))
    (decision.outcome, decision.basis, decision.error) = (outcome, .answered, nil)
    return decision
}

private let wrongPIN = failure(.locked, "wrong PIN; 8 tries are left", again: true)

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
        person.take(.unlockFailed(wrongPIN))
        #expect(person.locked?.trouble?.message == "Wrong PIN; 8 tries are left." && person.locked?.isBusy == false)
        person.hear(.unlocked)
        #expect(person.locked == nil && person.rows.isEmpty)
    }

    @Test func aLockTakesEverythingAway() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.hear(.locked)
        #expect(person.locked != nil)
        // A late event shows nothing, and a PIN that was typed meanwhile is wiped.
        let late = try pin()
        person.take(.pin(late))
        person.hear(.added(try card(8)))
        #expect(person.effects.isEmpty && late.count == 0 && person.locked != nil)
        person.hear(.waiting(1))
        #expect(person.locked?.waiting == "1 request waits")
    }

    @Test func lockNowWaitsForNoAnswer() throws {
        var person = Person.havingRead(try card())
        person.take(.lock)
        #expect(person.locked != nil)
        #expect(person.effects.contains { if case .lock = $0 { true } else { false } })
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

/// The request that a note's Review, or a command, names.
@Suite struct Reviewing {
    @Test func anOpenWindowTurnsToIt() throws {
        var person = try Person.looking(at: card(7))
        person.hear(.added(try card(8)))
        person.take(.review("fern:8"))
        #expect(person.page?.number == 2)
        // An empty text is the list.
        person.take(.review(""))
        #expect(person.rows == ["fern:7", "fern:8"])
    }

    @Test func aLockedWindowOpensItAfterThePIN() throws {
        var person = Person()
        person.take(.review("fern:8"))
        person.take(.connected(isOpen: false, waiting: 2))
        person.hear(.unlocked)
        #expect(person.rows == [])
        person.hear(.added(try card(7)))
        #expect(person.rows == ["fern:7"])
        person.hear(.added(try card(8)))
        #expect(person.page?.number == 2)
    }

    /// Once the person has gone on, it takes no page from the screen.
    @Test func whatComesTooLateIsOnlyListed() throws {
        var person = try Person.looking(at: card(7))
        person.take(.back)
        person.take(.review("fern:8"))
        guard case .requests(let list) = person.screen else { throw PageIsAnother() }
        #expect(list.troubles == ["No request fern:8 waits."])
        person.take(.open(1))
        person.take(.back)
        person.hear(.added(try card(8)))
        #expect(person.rows == ["fern:7", "fern:8"])
        guard case .requests(let list) = person.screen else { throw PageIsAnother() }
        #expect(list.troubles == [])
    }

    @Test func aDecisionOnItsWayStaysOnTheScreen() throws {
        var person = try Person.approving(card(7))
        person.hear(.added(try card(8)))
        person.take(.review("fern:8"))
        #expect(person.page?.number == 1)
    }

    private struct PageIsAnother: Error {}
}

@Suite struct Reading {
    @Test func onlyAnEndThatWasSeenAndASecondArm() throws {
        var person = Person.looking(at: try card())
        person.wait(5)
        #expect(person.page?.canApprove == false)
        person.take(.decide(.approve))
        #expect(person.effects.filter { if case .learnPast = $0 { true } else { false } }.isEmpty)
        person.seeEnd()
        #expect(person.page?.canApprove == true)

        var quick = Person.looking(at: try card())
        quick.seeEnd()
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

    /// The same content under other words of ours, such as a status or a warning.
    @Test func aPageThatLooksDifferentIsReadAgain() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        let before = try #require(person.page)
        person.hear(.changed(try card(isClosed: true)))
        let page = try #require(person.page)
        #expect(page.parts != before.parts && page.version != before.version)
        #expect(page.question == nil && !page.canApprove && page.note == "This page changed. Read it again.")
    }

    @Test func aPageCountsTheRequestsThatWaitAtOnce() throws {
        let others = [try card(8, in: 400, waitingAtOnce: 1), try card(9, in: 500, waitingAtOnce: 1)]
        var person = Person.havingRead(try card(waitingAtOnce: 1))
        #expect(person.page?.parts.warnings.isEmpty == true)
        // Requests that arrive do not take a page that is being read.
        for other in others { person.hear(.added(other)) }
        #expect(person.page?.parts.warnings.isEmpty == true && person.page?.canApprove == true)
        person.take(.back)
        person.take(.nextRequest)
        #expect(person.page?.parts.warnings.first?.contains("3 requests wait at fern at once") == true)
        person.seeEnd()
        person.wait(1)
        person.hear(.recovered(connection: "fern"))
        #expect(person.page?.canApprove == true)
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
        try person.end(.failure(wrongPIN))
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
        person.seeEnd()
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
        try person.end(.failure(failure(.unreachable, "the bank does not answer")))
        #expect(person.result?.headline == "Not sent" && person.result?.words == "The bank does not answer.")
    }

    @Test func contentThatChangedIsFetched() throws {
        var person = Person.havingRead(try card())
        person.decide(.approve, on: try card())
        person.take(.pin(try pin()))
        try person.end(.failure(failure(.changed, "the content changed")))
        guard case .fetch(reference: "fern:7")? = person.effects.first else {
            Issue.record("\(person.screen)")
            return
        }
        // Until the new content is here, the old one cannot be approved.
        person.wait(5)
        #expect(person.page?.canApprove == false && person.page?.note == "The content changed.")
        person.take(.fetched(try card(content: 2)))
        let fetched = try #require(person.page)
        #expect(!fetched.canApprove && fetched.note?.hasPrefix("The bank changed") == true)
        // It stays, whatever is heard next.
        person.hear(.recovered(connection: "fern"))
        #expect(person.page == fetched)
        person.take(.back)
        person.take(.nextRequest)
        #expect(person.page?.parts == fetched.parts)
    }
}

/// A page that was drawn before the content changed says nothing about the new one.
@Suite struct EarlierPages {
    @Test func theirEndIsNotTheEndOfTheNewContent() throws {
        var person = try Person.looking(at: card())
        let old = try #require(person.page)
        person.hear(.changed(try card(content: 2)))
        person.take(.sawEnd(number: old.number, version: old.version))
        person.wait(2)
        #expect(person.page?.canApprove == false)
        person.seeEnd()
        #expect(person.page?.canApprove == true)
    }
}

@Suite struct Sending {
    /// Its result comes when no content may be shown, so the person is led to the log.
    @Test func aLockMeanwhileLeadsToTheHistory() throws {
        var person = try Person.approving(card())
        person.hear(.locked)
        #expect(person.locked?.note?.contains("the history shows its outcome") == true)
        var other = try Person.looking(at: card())
        other.hear(.locked)
        #expect(other.locked != nil && other.locked?.note == nil)
    }

    @Test(arguments: [true, false]) func aLateEndIsNotThatOfAnotherRequest(_ isFailure: Bool) throws {
        let first = try card(7)
        let second = try card(8, content: 2)
        var person = try Person.approving(first)
        let earlier = try #require(person.sent)
        person.hear(.locked)
        person.hear(.unlocked)
        person.hear(.added(second))
        person.take(.nextRequest)
        person.seeEnd()
        person.wait(1)
        person.decide(.approve, on: second)
        person.take(.pin(try pin()))
        try person.end(isFailure ? .failure(wrongPIN) : .success(decision(.confirmed, on: first)), of: earlier)
        #expect(person.result == nil && person.page?.isSending == true && person.page?.question?.trouble == nil)
        try person.end(.success(decision(.confirmed, on: second)))
        #expect(person.result?.headline == "Confirmed")
    }

    @Test func aLateEndIsNotThatOfAnotherVerdict() throws {
        let shown = try card()
        var person = try Person.approving(shown)
        let earlier = try #require(person.sent)
        person.hear(.locked)
        person.hear(.unlocked)
        person.hear(.added(shown))
        person.take(.nextRequest)
        person.decide(.deny, on: shown)
        person.take(.answer(.yes))
        try person.end(.failure(failure(.refused, "refused")), of: earlier)
        #expect(person.page?.isSending == true && person.result == nil)
    }

    /// A PIN after a wrong one never signs content that is no longer on the page.
    @Test(arguments: [true, false]) func contentThatChangesMeanwhileIsNotSigned(_ isFetched: Bool) throws {
        var person = try Person.approving(try card())
        let before = try #require(person.page)
        let newer = try card(content: 2)
        if isFetched { person.take(.fetched(newer)) } else { person.hear(.changed(newer)) }
        #expect(person.page == before)
        try person.end(.failure(wrongPIN))
        #expect(person.page?.question == nil && person.page?.canApprove == false)
        #expect(person.page?.version != before.version && person.page?.note?.hasPrefix("The bank changed") == true)
        let late = try pin()
        person.take(.pin(late))
        #expect(person.decision == nil && late.count == 0)
        // Read again, it is the new content that is approved.
        person.seeEnd()
        person.wait(1)
        person.decide(.approve, on: newer)
        person.take(.pin(try pin()))
        #expect(person.decision?.1.fingerprint == newer.fingerprint)
    }

    @Test func aRequestThatEndsMeanwhileIsNotAskedForAgain() throws {
        var gone = try Person.approving(try card())
        gone.hear(.removed(try card(), renamedTo: nil))
        try gone.end(.failure(wrongPIN))
        #expect(gone.result?.headline == "Withdrawn")
        var expired = try Person.approving(try card())
        expired.wait(300)
        try expired.end(.failure(wrongPIN))
        #expect(expired.result?.headline == "Expired")
    }

    /// The words follow the outcome, and claim nothing about who decided it.
    @Test(arguments: [
        (Outcome.confirmed, Verdict.approve, "Confirmed", Screen.ResultPage.Sign.good),
        (.confirmed, .deny, "Confirmed, though you denied it", .bad), (.denied, .deny, "Denied", .neutral),
        (.refused, .approve, "Refused", .bad), (.unsent, .approve, "Not sent", .warning),
        (.expired, .approve, "Expired", .warning), (.unknown, .approve, "Not known yet", .warning),
        (.processing, .approve, "Still processing", .waiting),
    ])
    func aDecisionThatIsHeardOfSaysItsOutcome(
        _ outcome: Outcome, _ verdict: Verdict, _ headline: String, _ sign: Screen.ResultPage.Sign
    ) throws {
        var person = Person.havingRead(try card())
        person.hear(.decided(decision(outcome, verdict, on: try card())))
        #expect(person.result?.headline == headline && person.result?.sign == sign)
        #expect(person.result?.words.contains("program") == false)
    }

    /// This window may have sent a decision before it was locked.
    @Test func theEndOfARequestDoesNotSayThatNothingWasSent() throws {
        var gone = Person.havingRead(try card())
        gone.hear(.removed(try card(isClosed: true), renamedTo: nil))
        var expired = Person.havingRead(try card())
        expired.wait(300)
        for person in [gone, expired] { #expect(person.result?.words.contains("Nothing was sent") == false) }
    }
}

@Suite struct Disowning {
    private func ask(_ person: Person) throws -> Screen.AskPage {
        guard case .ask(let ask) = person.screen else {
            throw Failure(.internal, "\(person.screen)")
        }
        return ask
    }

    @Test func aRequestOfSomebodyElseIsDeniedAndTheWindowLocks() throws {
        let shown = try card()
        var person = Person.looking(at: shown)
        person.take(.disown)
        #expect(person.page?.question?.words == "The bank takes no reason, so it is not told why.")
        person.take(.answer(.yes))
        #expect(person.decision?.0 == .deny && person.decision?.1.reason == .notMe)
        try person.end(.success(decision(.denied, .deny, on: shown)))
        #expect(try ask(person).headline == "Disconnect this bank too?")
        person.take(.answer(.yes))
        guard case .revoke(shown.connection)? = person.effects.last else {
            Issue.record("\(person.effects)")
            return
        }
        person.take(.revoked(shown.connection, nil))
        #expect(person.locked?.note?.hasPrefix("It was denied.") == true)
        #expect(person.effects.contains { if case .lock = $0 { true } else { false } })
    }

    /// Whoever leaves the question has answered no: the window locks all the same, and a failure is not forgotten.
    @Test(arguments: [WindowEvent.back, .show(.banks), .review("")])
    func noWayLeadsAroundTheLock(_ leaving: WindowEvent) throws {
        let shown = try card()
        var person = Person.looking(at: shown)
        person.take(.disown)
        person.take(.answer(.yes))
        try person.end(.success(decision(.denied, .deny, on: shown)))
        person.take(leaving)
        #expect(person.locked?.note?.hasPrefix("It was denied.") == true)
    }

    @Test func aBankThatCouldNotBeDisconnectedIsNamed() throws {
        let shown = try card()
        var person = Person.looking(at: shown)
        person.take(.disown)
        person.take(.answer(.yes))
        try person.end(.success(decision(.denied, .deny, on: shown)))
        person.take(.answer(.yes))
        person.take(.revoked(shown.connection, failure(.unreachable, "the bank does not answer")))
        #expect(person.locked?.note?.contains("could not be disconnected: The bank does not answer.") == true)
    }

    @Test func aDenialThatIsTakenBackLeavesTheCard() throws {
        var person = Person.havingRead(try card())
        person.take(.disown)
        person.take(.cancel)
        #expect(person.page?.question == nil && person.page?.canApprove == true)
    }

    @Test func allOfABankAreDeniedAfterOneQuestion() throws {
        let cards = [try card(7), try card(8, content: 2)]
        var person = Person()
        person.take(.connected(isOpen: true, waiting: nil))
        for card in cards { person.hear(.added(card)) }
        guard case .requests(let list) = person.screen else {
            Issue.record("\(person.screen)")
            return
        }
        #expect(list.crowds.map(\.words) == ["Deny all of Fern Bank (2)…"])
        person.take(.denyAll("fern"))
        #expect(try ask(person).sheet == ["Confirm this payment", "Confirm this payment"])
        person.take(.answer(.yes))
        for card in cards {
            #expect(person.decision?.0 == .deny && person.decision?.hasPIN == false)
            #expect(try ask(person).isBusy)
            try person.end(.success(decision(.denied, .deny, on: card)))
        }
        #expect(person.result?.headline == "All denied" && person.result?.about == "2 of 2 requests")
    }

    @Test func aDenialThatFailsIsCounted() throws {
        var person = Person()
        person.take(.connected(isOpen: true, waiting: nil))
        for number in [7, 8] { person.hear(.added(try card(number, content: number))) }
        person.take(.denyAll("fern"))
        person.take(.answer(.yes))
        try person.end(.failure(failure(.unreachable, "the bank does not answer")))
        try person.end(.success(decision(.denied, .deny, on: try card(8, content: 8))))
        #expect(person.result?.headline == "Not all denied" && person.result?.about == "1 of 2 requests")
    }
}

@Suite struct Tabs {
    /// Another tab takes the answers of its own questions, and none of a request.
    @Test func aPINForAnotherTabDecidesNothing() throws {
        var person = Person.havingRead(try card())
        person.take(.show(.programs))
        let late = try pin()
        person.take(.pin(late))
        #expect(person.decision == nil && late.count == 0)
        person.take(.show(.requests))
        #expect(person.rows == ["fern:7"])
    }

    @Test func aNoticeOfARequestTurnsToItsTab() throws {
        var person = Person.looking(at: try card())
        person.take(.show(.history))
        person.take(.nextRequest)
        #expect(person.page?.parts.title == "Confirm this payment")
    }

    @Test func theHistoryIsNewestFirstAndSearched() throws {
        func entry(_ title: String, _ second: Double, _ ref: String) -> String {
            """
            {"at":"\(Timestamp(start + second).text)","ref":"\(ref)","alarm":false,"bank":"Fern Bank","title":"\(title)",
            "text":"To <b>Fern</b> Books","fields":null,"decision":"approve","outcome":"confirmed","basis":"answered",
            "likely":null,"final":true,"fingerprint":"00","hash":"\(title)","source":null}
            """
        }
        let json = """
            {"decisions":[\(entry("One", 1, "fern:1")),\(entry("Two", 2, "oak:2"))],"log":"intact"}
            """
        let history = try JSONForm.decode(HistoryPayload.self, from: Array(json.utf8))
        var person = Person.looking(at: try card())
        person.take(.show(.history))
        person.take(.history(.loaded(.success(history))))
        func titles() -> [String] {
            if case .history(let page) = person.screen { page.rows.all.map(\.title) } else { [] }
        }
        #expect(titles() == ["Two", "One"])
        person.take(.history(.search("fern <B> one")))
        #expect(titles() == ["One"])
        person.take(.history(.search("")))
        person.take(.history(.choose(connection: "oak")))
        #expect(titles() == ["Two"])
        person.take(.history(.open(0)))
        guard case .historyEntry(let page) = person.screen else {
            Issue.record("\(person.screen)")
            return
        }
        #expect(page.title == "Two" && page.text == "To <b>Fern</b> Books" && page.headline == "Confirmed")
        person.take(.back)
        #expect(titles() == ["Two"])
    }
}
