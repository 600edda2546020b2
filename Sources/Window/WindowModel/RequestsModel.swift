import Approvals
import ApprovalModel
import Basics
import Dialogue
import Display
import FoundationEssentials

/// The tab of requests: their list, one card, its result.
struct RequestsModel: Sendable {
    private enum Page: Sendable {
        case list
        case card(CardModel)
        case denial(DenialModel)
        case result(Screen.ResultPage)
    }

    private var list: WaitingCards
    private var page = Page.list
    /// The request to open as soon as the list has it.
    private var wanted: String?
    private var isAsking = false
    /// The words with which the window locks after a request of somebody else.
    private(set) var farewell: String?
    /// Whether a decision is on its way.
    var isSending: Bool { model?.isSending == true }

    init(at now: Date) { list = WaitingCards(openedAt: now) }

    /// The card on the screen.
    private var model: CardModel? {
        get {
            switch page {
            case .card(let model): model
            case .denial(let denial): denial.card
            case .list, .result: nil
            }
        }
        set {
            guard let newValue else { return }
            switch page {
            case .card: page = .card(newValue)
            case .denial(var denial):
                denial.card = newValue
                page = .denial(denial)
            case .list, .result: break
            }
        }
    }

    private var waiting: Int { list.entries.count }

    // MARK: Events

    mutating func take(
        _ event: WindowEvent, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        if case .back = event { wanted = nil }
        switch event {
        case .tick: return tick(at: now, moment)
        case .open(let number): return open(number, at: moment)
        case .nextRequest:
            guard let number = list.order().first else {
                page = .list
                return []
            }
            return open(number, at: moment)
        case .askBanks where !isAsking:
            isAsking = true
            return [.use, .askBanks]
        case .askedBanks: isAsking = false
        case .fetched(let card): _ = list.take(Event(.changed(card), at: now))
        case .denyAll(let connection): return denyAll(connection, at: now, moment)
        case .disown: return disown(at: now, moment)
        case .revoked(let name, let failure):
            guard case .denial(let denial) = page, case .revoking(name) = denial.step else { return [] }
            return step(at: now, moment) { $0.revoked(failure, at: now, moment) }
        case .answer(let answer):
            if case .denial(let denial) = page, case .asking = denial.step {
                return [.use] + step(at: now, moment) { $0.answer(answer, at: now, moment) }
            }
        case .cancel, .back:
            if case .denial(let denial) = page, case .asking = denial.step {
                return [.use] + step(at: now, moment) { $0.answer(.no, at: now, moment) }
            }
        default: break
        }
        guard var model else {
            if case .back = event, isLeavable { page = .list }
            if case .pin(let pin) = event { pin.wipe() }
            return []
        }
        return take(event, &model, at: now, moment)
    }

    /// The person turns to another tab.
    mutating func leave(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        isSending ? [] : take(.back, at: now, moment)
    }

    /// An event for the card on the screen.
    private mutating func take(
        _ event: WindowEvent, _ model: inout CardModel, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        var effects: [WindowEffect] = []
        switch event {
        case .back:
            // A decision that is on its way goes on; only the wait for its outcome ends.
            guard !model.isSending else { return [.use, .giveUp(reference: model.card.reference)] }
            page = .list
            return [.use]
        // The content may have changed since that page was drawn.
        case .sawEnd(model.number, model.version): effects = model.sawEnd(at: now, moment)
        case .decide(let verdict): effects = [.use] + model.begin(verdict, at: now, moment)
        case .past(let past, let fingerprint): effects = model.take(past, of: fingerprint, at: now, moment)
        case .answer(let answer): effects = model.answer(answer, at: now, moment)
        case .pin(let pin): effects = model.prove(pin, at: moment)
        case .cancel: model.cancel()
        case .fetched: effects = renew(&model, at: moment)
        case .showSource: effects = [.use, .fetchSource(reference: model.card.reference)]
        case .sourced(let card): model.show(source: card)
        case .decided(let verdict, let request, let result):
            guard model.isSending(verdict, request) else { return [] }
            switch result {
            case .success(let decision):
                list.remove(model.card.reference)
                return end(Screen.ResultPage(decision, on: model.card, waiting: waiting), nil, at: now, moment)
            case .failure(let failure): return fail(model, failure, at: now, moment)
            }
        default: break
        }
        return keep(model, effects, at: now, moment)
    }

    /// Leaves the card on the screen. A denial among others that was taken back is over.
    private mutating func keep(
        _ model: CardModel, _ effects: [WindowEffect], at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        self.model = model
        guard case .denial = page, model.isIdle else { return effects }
        return effects + step(at: now, moment) { $0.denied(.cancelled, "Not denied.", at: now, moment) }
    }

    /// A request came to its end.
    private mutating func end(
        _ result: Screen.ResultPage, _ failure: Failure?, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        guard case .denial = page else {
            page = .result(result)
            return []
        }
        return step(at: now, moment) { $0.denied(failure, result.words, at: now, moment) }
    }

    mutating func review(_ reference: String, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        wanted = reference.isEmpty ? nil : reference
        return openWanted(at: moment)
    }

    private mutating func openWanted(at moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard let wanted, case .list = page else { return [] }
        let found = list.entries.filter { $0.value.card.reference == wanted }
        guard let number = found.keys.first else { return [] }
        return open(number, at: moment)
    }

    private mutating func open(_ number: Int, at moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard let card = list.entries[number]?.card else { return [] }
        let model = CardModel(card.counted(among: list.cards), number: number, version: 0, at: moment)
        page = .card(model)
        wanted = nil
        return [.use, .wake(model.due)]
    }

    /// Gives an open page the newest form of its card. Requests that came meanwhile change nothing on it, not even the
    /// count of those that wait at once: that is of the moment when the content appeared.
    private func renew(_ model: inout CardModel, at moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard var newest = list.entries[model.number]?.card else { return [] }
        if newest.fingerprint == model.card.fingerprint {
            newest.waitingAtOnce = model.card.waitingAtOnce
        } else {
            newest = newest.counted(among: list.cards)
        }
        model.take(newest, at: moment)
        return [.wake(model.due)]
    }

    private mutating func fail(
        _ model: CardModel, _ failure: Failure, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        var model = model
        guard let verdict = model.sent else { return [] }
        if model.take(failure, at: moment) {
            // While it was on its way, nothing that happened to the request was shown.
            guard list.entries[model.number] != nil else {
                let result =
                    model.card.isExpired(at: now)
                    ? Screen.ResultPage.expired(model.card, waiting: waiting) : .gone(model.card, waiting: waiting)
                return end(result, .gone, at: now, moment)
            }
            let renewal = renew(&model, at: moment)
            let fetch = failure.kind == .changed ? [WindowEffect.fetch(reference: model.card.reference)] : []
            return keep(model, fetch + renewal, at: now, moment)
        }
        let decision = DecisionPayload(
            model.card.reference, verdict, fingerprint: model.card.fingerprint, at: now, failure: failure)
        return end(Screen.ResultPage(decision, on: model.card, waiting: waiting), failure, at: now, moment)
    }

    private mutating func tick(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        let shown = shownCard
        var effects: [WindowEffect] = []
        for news in list.expire(at: now) {
            if case .expired(let reference) = news, let shown, reference == shown.reference {
                effects += end(.expired(shown, waiting: waiting), .gone, at: now, moment)
            }
        }
        guard var model, effects.isEmpty else { return effects }
        effects = model.goOn(at: now, moment)
        self.model = model
        return effects
    }

    /// The card on the screen that is not on its way to the bank.
    private var shownCard: Card? { model.flatMap { $0.isSending ? nil : $0.card } }

    mutating func hear(
        _ event: Event, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        let shown = shownCard
        let news = list.take(event)
        switch news {
        case .gone(let card) where card.reference == shown?.reference:
            return end(.gone(card, waiting: waiting), .gone, at: now, moment)
        case .decided(let decision):
            guard let shown, decision.ref == shown.reference else { return [] }
            return end(Screen.ResultPage(decision, on: shown, waiting: waiting), nil, at: now, moment)
        default: break
        }
        guard var model else { return openWanted(at: moment) }
        let effects = renew(&model, at: moment)
        return keep(model, effects, at: now, moment)
    }

    // MARK: Denials by one dialogue

    private var isLeavable: Bool {
        guard case .denial(let denial) = page else { return true }
        if case .asking = denial.step { return true }
        return false
    }

    private mutating func denyAll(
        _ connection: String, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        let cards = list.order().compactMap { list.entries[$0]?.card }.filter { $0.connection.text == connection }
        guard case .list = page, !cards.isEmpty else { return [] }
        page = .denial(DenialModel(all: cards, in: list))
        return [.use] + step(at: now, moment) { $0.begin(at: now, moment) }
    }

    private mutating func disown(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard case .card(let model) = page, model.isIdle else { return [] }
        page = .denial(DenialModel(notMine: model, in: list))
        return [.use] + step(at: now, moment) { $0.begin(at: now, moment) }
    }

    private mutating func step(
        at now: Date, _ moment: ContinuousClock.Instant, _ act: (inout DenialModel) -> DenialModel.Next
    ) -> [WindowEffect] {
        guard case .denial(var denial) = page else { return [] }
        let next = act(&denial)
        page = .denial(denial)
        switch next {
        case .go(let effects): return effects
        case .end(.stopped):
            if let model = denial.card ?? denial.foreign, list.entries[model.number] != nil {
                page = .card(model)
            } else {
                page = .list
            }
            return []
        case .end(.done(let failure)):
            page = .result(.denied(denial.denied, of: denial.count, failure, waiting: waiting))
            return []
        case .end(.lock(let failure)):
            farewell =
                (failure == nil ? "It was denied." : "It could not be denied.")
                + (denial.revocation.map { " The bank could not be disconnected: \(Sentence.of($0.message))" } ?? "")
                + " Now tell your bank, by a way that you know. The history shows what was decided."
            return [.lock]
        }
    }

    // MARK: The screen

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch page {
        case .list: .requests(requests(at: now))
        case .card(let model): .card(model.page(at: now, moment))
        case .denial(let denial): denial.screen(at: now, moment)
        case .result(let page): .result(page)
        }
    }

    private func requests(at now: Date) -> Screen.Requests {
        var list = list
        let cards = list.order().compactMap { number in list.entries[number].map { (number, $0.card) } }
        let rows = cards.map { number, card in
            Screen.Requests.Row(
                number: number, reference: card.reference, amount: card.amount, payee: card.fields["payee"],
                title: card.titleText, bank: card.bankText, place: card.bankText + " · " + card.host.line,
                time: card.remaining(at: now))
        }
        let troubles = (list.banks ?? []).compactMap { bank in
            bank.failure.map { failure in
                let last = bank.heardAt.map { "; its last answer came at " + LocalTime.text($0.date) } ?? ""
                return "\(bank.connection): \(failure.message)\(last)."
            }
        }
        let missing = wanted.map { ["No request \(DisplayText($0).line) waits."] } ?? []
        return Screen.Requests(
            rows: rows, troubles: missing + troubles, isAsking: isAsking, crowds: Self.crowds(cards.map(\.1)))
    }

    private static func crowds(_ cards: [Card]) -> [Screen.Requests.Crowd] {
        let banks = Dictionary(grouping: cards) { $0.connection.text }.filter { $0.value.count > 1 }
        return banks.sorted { $0.key < $1.key }.map { connection, cards in
            let bank = cards[0].bankText
            let isOnly = banks.values.count { $0[0].bankText == bank } == 1
            let name = isOnly ? bank : "\(bank) (\(connection))"
            return .init(connection: connection, words: "Deny all of \(name) (\(cards.count))…")
        }
    }
}
