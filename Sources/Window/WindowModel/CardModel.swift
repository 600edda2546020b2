import Approvals
import ApprovalModel
import Basics
import Dialogue
import FoundationEssentials

/// One request on the screen, and the dialogue of a decision on it. It asks nothing that `DecisionDialogue` does not.
struct CardModel: Sendable {
    /// The place of the decision.
    private enum Phase: Sendable {
        case reading
        /// The earlier decisions are looked up.
        case preparing(Verdict)
        case asking(DecisionDialogue, Ask)
        /// The PIN is the last question.
        case proving(DecisionDialogue, option: String?)
        case sending(DecisionDialogue, DecisionRequest)
    }

    let number: Int
    private(set) var card: Card
    private(set) var version: Int
    private var reading: CardReading
    private var phase = Phase.reading
    private var note: String?
    /// Why the last answer was not accepted.
    private var trouble: String?
    private var reason: DenialReason?
    /// The plaintext, once the person asked for it.
    private var source: String?

    init(_ card: Card, number: Int, version: Int, at moment: ContinuousClock.Instant) {
        self.card = card
        self.number = number
        self.version = version
        reading = CardReading(from: moment)
    }

    var due: ContinuousClock.Instant { reading.due }
    var isSending: Bool { sent != nil }
    /// The verdict that is on its way.
    var sent: Verdict? { if case .sending(let dialogue, _) = phase { dialogue.verdict } else { nil } }

    /// Whether this decision is the one that is on its way.
    func isSending(_ verdict: Verdict, _ request: DecisionRequest) -> Bool {
        if case .sending(let dialogue, request) = phase { dialogue.verdict == verdict } else { false }
    }

    // MARK: The card

    /// Takes the newest form of the card. If it looks different, all that was asked is taken back, and it is read from
    /// its beginning. While a decision is on its way, the page keeps the card that was decided.
    mutating func take(_ newer: Card, at moment: ContinuousClock.Instant) {
        guard !isSending else { return }
        let hasOtherContent = newer.fingerprint != card.fingerprint
        let looksSame = !hasOtherContent && newer.parts == card.parts
        card = newer
        guard !looksSame else { return }
        phase = .reading
        (trouble, source) = (nil, nil)
        note = hasOtherContent ? "The bank changed this request. Read it again." : "This page changed. Read it again."
        readAgain(from: moment)
    }

    private mutating func readAgain(from moment: ContinuousClock.Instant) {
        version += 1
        reading = CardReading(from: moment)
    }

    /// The end of the card is on screen. Answers the dialogue if it waits for that.
    mutating func sawEnd(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        reading.sawEnd()
        return goOn(at: now, moment)
    }

    /// Answers the dialogue that waits until the card was read.
    mutating func goOn(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard case .asking(let dialogue, .card(let isDemanded)) = phase, !isDemanded || reading.isRead(at: moment)
        else { return [] }
        return advance(dialogue, .yes, at: now, moment)
    }

    // MARK: The decision

    mutating func begin(_ verdict: Verdict, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        if verdict == .deny { return deny(isAgreed: false, nil, at: now, moment) }
        guard case .reading = phase, reading.isRead(at: moment) else { return [] }
        (note, trouble, reason) = (nil, nil, nil)
        phase = .preparing(verdict)
        return [.learnPast(card)]
    }

    /// Denies for this reason. `isAgreed`: the person said yes already.
    mutating func deny(
        isAgreed: Bool, _ reason: DenialReason?, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        guard case .reading = phase else { return [] }
        (note, trouble, self.reason) = (nil, nil, reason)
        return advance(dialogue(.deny, .init(), isAgreed: isAgreed, at: now), nil, at: now, moment)
    }

    private func dialogue(
        _ verdict: Verdict, _ past: DecisionPast, isAgreed: Bool = false, at now: Date
    ) -> DecisionDialogue {
        // The agent knows the position; it refuses a decision without one where the bank wants it.
        DecisionDialogue(
            verdict, on: card, DecisionDialogue.Terms(hasPosition: true, isAgreed: isAgreed), past,
            before: .person(typesWords: true), at: now)
    }

    /// Whether nothing is asked, and nothing is on its way.
    var isIdle: Bool { if case .reading = phase { true } else { false } }

    /// The plaintext, which the person asked for.
    mutating func show(source newer: Card) {
        if newer.fingerprint == card.fingerprint { source = newer.source?.block }
    }

    mutating func take(
        _ past: DecisionPast, of fingerprint: String, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        guard case .preparing(let verdict) = phase, fingerprint == card.fingerprint.hex else { return [] }
        return advance(dialogue(verdict, past, at: now), nil, at: now, moment)
    }

    mutating func answer(_ answer: Answer, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard case .asking(let dialogue, let ask) = phase else { return [] }
        // Only the card's end on screen answers this one.
        if case .card = ask { return [] }
        return advance(dialogue, answer, at: now, moment)
    }

    /// The PIN signs the dialogue's card, so this must be the card that was read here.
    mutating func prove(_ pin: any Secret, at moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard case .proving(let dialogue, let option) = phase, dialogue.card.fingerprint == card.fingerprint,
            reading.isRead(at: moment)
        else {
            pin.wipe()
            return []
        }
        return send(dialogue, option, pin)
    }

    /// Takes the decision back, while it is not on its way.
    mutating func cancel() {
        guard !isSending else { return }
        phase = .reading
        trouble = nil
    }

    /// Takes the failure of a decision. Returns false if it ends the page.
    mutating func take(_ failure: Failure, at moment: ContinuousClock.Instant) -> Bool {
        guard case .sending(let dialogue, let request) = phase else { return true }
        guard failure.mayTryAgain else {
            phase = .reading
            note = Sentence.of(failure.message)
            // The bank has other content by now, which is not here yet.
            if failure.kind == .changed { readAgain(from: moment) }
            return failure.kind == .cancelled || failure.kind == .changed || failure.kind == .locked
        }
        phase = .proving(dialogue, option: request.option)
        trouble = Sentence.of(failure.message)
        return true
    }

    private mutating func advance(
        _ dialogue: DecisionDialogue, _ answer: Answer?, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        var (dialogue, answer) = (dialogue, answer)
        trouble = nil
        while true {
            switch dialogue.next(answer) {
            case .ask(.card(let isDemanded)) where !isDemanded || reading.isRead(at: moment): answer = .yes
            case .ask(let ask):
                if case .option(_, isAgain: true) = ask { trouble = "That is none of them." }
                phase = .asking(dialogue, ask)
                return []
            case .decide(let option, pin: .some):
                phase = .proving(dialogue, option: option)
                return []
            case .decide(let option, pin: nil): return send(dialogue, option, nil)
            case .end(let failure):
                phase = .reading
                note = failure.message == Failure.cancelled.message ? nil : Sentence.of(failure.message)
                return []
            }
        }
    }

    private mutating func send(_ dialogue: DecisionDialogue, _ option: String?, _ pin: (any Secret)?) -> [WindowEffect]
    {
        let request = DecisionRequest(
            ref: dialogue.card.reference, fingerprint: dialogue.card.fingerprint, position: nil, waits: true,
            option: option, reason: reason)
        phase = .sending(dialogue, request)
        trouble = nil
        return [.decide(dialogue.verdict, request, pin: pin)]
    }

    // MARK: The page

    func page(at now: Date, _ moment: ContinuousClock.Instant) -> Screen.CardPage {
        let isRead = reading.isRead(at: moment)
        return Screen.CardPage(
            number: number, version: version, parts: card.parts, time: card.remaining(at: now), note: note,
            canApprove: isRead && isIdle,
            advice: isSending
                ? "Waiting for the bank …"
                : isIdle ? (isRead ? "Approving takes your PIN." : "Read to the end to approve.") : nil,
            question: question, isSending: isSending,
            details: .init(reference: card.reference, code: card.code?.line, source: source))
    }

    private var question: Screen.Question? {
        switch phase {
        case .reading, .preparing: nil
        case .asking(let dialogue, let ask): question(ask, dialogue.verdict)
        case .proving(let dialogue, let option): question(.pin(choosing: option), dialogue.verdict)
        case .sending(let dialogue, let request): question(.pin(choosing: request.option), dialogue.verdict)
        }
    }

    private func question(_ ask: Ask, _ verdict: Verdict) -> Screen.Question {
        var (input, recap, isEarly) = (Screen.Question.Input.none, [String](), false)
        var words: String?
        var headline = ask.words(on: card, to: verdict) ?? ""
        switch ask {
        case .card:
            headline = "Read to the end of the request to go on"
            isEarly = true
        case .distinction: input = .text(name: "Type the \(card.distinction)")
        case .title: input = .text(name: "Type the title")
        case .option(let options, _): input = .options(options)
        case .pin(let option):
            recap = (option.map { ["Choice: " + $0] } ?? []) + card.recap
            headline = verdict == .approve ? "PIN to approve" : "PIN to deny"
            input = verdict == .approve || card.denialNeedsPIN ? .pin : .none
            if case .none = input { headline = "Deny this?" }
        case .agreement: if verdict == .deny, reason == .notMe { words = card.words(on: .notMe) }
        case .caution, .anotherChoice: break
        // No question of a decision on one request.
        case .grant, .code, .connection, .link, .review, .verdict, .denyAll, .yesNo, .notice: break
        }
        return Screen.Question(
            verdict: verdict, headline: headline, words: words, recap: recap, input: input, trouble: trouble,
            isEarly: isEarly)
    }
}
