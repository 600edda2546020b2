import ApprovalModel
import Approvals
import Basics
import Dialogue
import FoundationEssentials

/// Denials that begin with one wish: "It was not me", or all that wait at a bank. It asks nothing that `DecisionSeries` does not.
struct DenialModel: Sendable {
    enum Step: Sendable {
        case asking(Ask)
        /// `isSilent`: the person said yes to all, so the request is denied without its page.
        case denying(CardModel, isSilent: Bool)
        case revoking(ConnectionName)
    }

    enum Next: Sendable {
        case go([WindowEffect])
        case end(DecisionSeries.End)
    }

    /// The request that somebody else began; nil for all of a bank.
    let foreign: CardModel?
    private(set) var step: Step?
    private(set) var denied = 0
    /// Why the bank was not disconnected, which was wanted.
    private(set) var revocation: Failure?
    let count: Int
    /// The result of the last denial, in words.
    private(set) var news: [String] = []
    private var dialogue: DecisionSeries
    private let numbers: [String: Int]
    private var begun = 0

    /// All of these.
    init(all cards: [Card], in list: WaitingCards) {
        foreign = nil
        count = cards.count
        dialogue = DecisionSeries(denyingAll: cards, before: .person(typesWords: true))
        numbers = Self.numbers(list)
    }

    /// The request on the page.
    init(notMine model: CardModel, in list: WaitingCards) {
        foreign = model
        count = max(1, list.cards.count(where: model.card.isBeside))
        dialogue = DecisionSeries(notMine: model.card, among: list.cards, isShown: true)
        numbers = Self.numbers(list)
    }

    private static func numbers(_ list: WaitingCards) -> [String: Int] {
        Dictionary(list.entries.map { ($0.value.card.reference, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// The request whose page is open.
    var card: CardModel? {
        get { if case .denying(let model, _) = step { model } else { nil } }
        set {
            guard let newValue, case .denying(_, let isSilent) = step else { return }
            step = .denying(newValue, isSilent: isSilent)
        }
    }

    // MARK: Steps

    mutating func begin(at now: Date, _ moment: ContinuousClock.Instant) -> Next { go(nil, at: now, moment) }

    mutating func answer(_ answer: Answer, at now: Date, _ moment: ContinuousClock.Instant) -> Next {
        guard case .asking = step else { return .go([]) }
        return go(.answer(answer), at: now, moment)
    }

    /// The present denial was sent, or failed.
    mutating func denied(
        _ failure: Failure?, _ words: String, at now: Date, _ moment: ContinuousClock.Instant
    ) -> Next {
        guard case .denying = step else { return .go([]) }
        news = [words]
        if failure == nil { denied += 1 }
        return go(.decided(failure), at: now, moment)
    }

    mutating func revoked(_ failure: Failure?, at now: Date, _ moment: ContinuousClock.Instant) -> Next {
        guard case .revoking = step else { return .go([]) }
        revocation = failure
        return go(.revoked, at: now, moment)
    }

    private mutating func go(
        _ event: DecisionSeries.Event?, at now: Date, _ moment: ContinuousClock.Instant
    ) -> Next {
        var event = event
        while true {
            switch dialogue.next(event) {
            case .ask(let ask):
                step = .asking(ask)
                return .go([])
            case .decide(let decision):
                let card = decision.card
                guard let number = numbers[card.reference] else {
                    event = .decided(.gone)
                    continue
                }
                begun += 1
                var model =
                    foreign.flatMap { decision.isShown && $0.card.reference == card.reference ? $0 : nil }
                    ?? CardModel(card, number: number, version: 0, at: moment)
                let effects = model.deny(isAgreed: decision.isAgreed, decision.reason, at: now, moment)
                step = .denying(model, isSilent: decision.isAgreed && !card.denialNeedsPIN)
                return .go([.wake(model.due)] + effects)
            case .revoke(let name):
                step = .revoking(name)
                return .go([.revoke(name)])
            case .end(let end): return .end(end)
            }
        }
    }

    // MARK: The page

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch step {
        case .asking(.denyAll(let crowd)):
            .ask(
                Screen.AskPage(
                    title: "Deny all", headline: crowd.words,
                    sheet: crowd.cards.map(\.titleText), ok: "Deny", isGrave: true))
        case .asking(.yesNo(let question)): .ask(Screen.AskPage(title: "It was not me", question, above: news))
        case .denying(let model, isSilent: false): .card(model.page(at: now, moment))
        case .denying, .asking, nil:
            .ask(
                Screen.AskPage(
                    title: "Deny all", headline: count > 1 ? "Denying \(begun) of \(count)" : "Denying", isBusy: true))
        case .revoking: .ask(Screen.AskPage(title: "It was not me", headline: "Disconnecting", isBusy: true))
        }
    }
}
