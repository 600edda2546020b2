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
        case result(Screen.ResultPage)
    }

    private var list: WaitingCards
    private var page = Page.list
    /// The request to open as soon as the list has it.
    private var wanted: String?

    init(at now: Date) { list = WaitingCards(openedAt: now) }

    // MARK: Events

    mutating func take(
        _ event: WindowEvent, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        if case .tick = event { return tick(at: now, moment) }
        if case .back = event { wanted = nil }
        if case .open(let number) = event { return open(number, at: moment) }
        if case .nextRequest = event {
            guard let number = list.order().first else {
                page = .list
                return []
            }
            return open(number, at: moment)
        }
        if case .fetched(let card) = event { _ = list.take(Event(.changed(card), at: now)) }
        guard case .card(var model) = page else {
            if case .back = event { page = .list }
            if case .pin(let pin) = event { pin.wipe() }
            return []
        }
        var effects: [WindowEffect] = []
        switch event {
        case .back:
            guard !model.isSending else { return [] }
            page = .list
            return [.use]
        case .sawEnd: effects = model.sawEnd(at: now, moment)
        case .decide(let verdict): effects = [.use] + model.begin(verdict, at: moment)
        case .past(let past, let fingerprint): effects = model.take(past, of: fingerprint, at: now, moment)
        case .answer(let answer): effects = model.answer(answer, at: now, moment)
        case .pin(let pin): effects = model.prove(pin, at: moment)
        case .cancel: model.cancel()
        case .fetched: effects = renew(&model, at: moment)
        case .decided(let verdict, let request, let result):
            guard model.isSending(verdict, request) else { return [] }
            switch result {
            case .success(let decision):
                list.remove(model.card.reference)
                page = .result(Screen.ResultPage(decision, on: model.card, waiting: list.entries.count))
                return []
            case .failure(let failure): return fail(model, failure, at: now, moment)
            }
        default: break
        }
        page = .card(model)
        return effects
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
                let waiting = list.entries.count
                page = .result(
                    model.card.isExpired(at: now)
                        ? .expired(model.card, waiting: waiting) : .gone(model.card, waiting: waiting))
                return []
            }
            let renewal = renew(&model, at: moment)
            page = .card(model)
            return (failure.kind == .changed ? [.fetch(reference: model.card.reference)] : []) + renewal
        }
        let decision = DecisionPayload(
            model.card.reference, verdict, fingerprint: model.card.fingerprint, at: now, failure: failure)
        page = .result(Screen.ResultPage(decision, on: model.card, waiting: list.entries.count))
        return []
    }

    private mutating func tick(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        let shown = shownCard
        for news in list.expire(at: now) {
            if case .expired(let reference) = news, let shown, reference == shown.reference {
                page = .result(.expired(shown, waiting: list.entries.count))
            }
        }
        guard case .card(var model) = page else { return [] }
        let effects = model.goOn(at: now, moment)
        page = .card(model)
        return effects
    }

    /// The card on the screen that is not on its way to the bank.
    private var shownCard: Card? {
        if case .card(let model) = page, !model.isSending { model.card } else { nil }
    }

    mutating func hear(
        _ event: Event, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        let shown = shownCard
        let news = list.take(event)
        switch news {
        case .gone(let card) where card.reference == shown?.reference:
            page = .result(.gone(card, waiting: list.entries.count))
            return []
        case .decided(let decision):
            guard let shown, decision.ref == shown.reference else { return [] }
            page = .result(Screen.ResultPage(decision, on: shown, waiting: list.entries.count))
            return []
        default: break
        }
        guard case .card(var model) = page else { return openWanted(at: moment) }
        let effects = renew(&model, at: moment)
        page = .card(model)
        return effects
    }

    // MARK: The screen

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch page {
        case .list: .requests(requests(at: now))
        case .card(let model): .card(model.page(at: now, moment))
        case .result(let page): .result(page)
        }
    }

    private func requests(at now: Date) -> Screen.Requests {
        var list = list
        let rows = list.order().compactMap { number in
            list.entries[number].map { entry in
                let card = entry.card
                return Screen.Requests.Row(
                    number: number, reference: card.reference, amount: card.amount,
                    payee: card.fields["payee"], title: card.parts.title,
                    place: card.parts.bank + " · " + card.parts.host, time: card.remaining(at: now))
            }
        }
        let troubles = (list.banks ?? []).compactMap { bank in
            bank.failure.map { Sentence.of("\(bank.connection): \($0.message)") }
        }
        let missing = wanted.map { ["No request \(DisplayText($0).line) waits."] } ?? []
        return Screen.Requests(rows: rows, troubles: missing + troubles)
    }
}
