import CWindow
import WindowModel

/// A question of yes or no on a page of its own. Texts of banks stand on a sheet.
@MainActor
final class AskPage: Page {
    let widget = Widget.column()
    private var shown: Screen.AskPage
    private let trouble = Widget.label("", "error")
    private let cancel: Widget?
    private let ok: Widget?
    private let question: QuestionView?
    /// The second click of a double one, which was meant for the page before, answers nothing.
    private var isFresh = true

    init(_ ask: Screen.AskPage, _ report: @escaping Report) {
        shown = ask
        let header = ask.ok == nil ? Widget.header(ask.title) : Widget.header(ask.title) { report(.back) }.header
        let body = Widget.column(16).margins(24, 18)
        body.append(Widget.label(ask.headline, "title-2"))
        for sentence in ask.above { body.append(Widget.label(sentence)) }
        if !ask.facts.isEmpty {
            let facts = Widget.column(10, "card", "sheet")
            for fact in ask.facts { facts.append(Widget.fact(fact.label, fact.value)) }
            body.append(facts)
        }
        if !ask.sheet.isEmpty {
            let sheet = Widget.column(10, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP)
                .named("Written by the bank")
            for text in ask.sheet { sheet.append(Widget.label(text)) }
            body.append(sheet)
        }
        let question = ask.question.map { QuestionView($0) }
        self.question = question
        if let question { body.append(question.widget) }
        body.append(trouble)
        let cancel = ask.cancel.map { words in Widget.button(words, "pill") { report(.answer(.no)) } }
        self.cancel = cancel
        let bar = Widget.column(8, "bar")
        ok = ask.ok.map { words in
            Widget.button(words, "pill", ask.isGrave ? "destructive-action" : "suggested-action") {
                if let question { question.take().map(report) } else { report(.answer(.yes)) }
            }
        }
        question?.whenChanged { [weak self] in self?.refresh() }
        question?.whenEntered { [weak self] in
            if let self, !shown.isBusy, !isFresh { question?.take().map(report) }
        }
        if let ok, let cancel {
            bar.append(Widget.pair(cancel, ok).margins(12, 18))
        } else if let cancel {
            bar.append(cancel.margins(12, 18))
        }
        if ok == nil, ask.isBusy {
            let spinner = Widget(gtk_spinner_new())
            gtk_spinner_start(spinner.to())
            body.append(spinner.narrow())
        }
        widget.append(header, Widget(countersign_scroller(body.pointer)), bar)
        after(.milliseconds(500)) { [weak self] in
            self?.isFresh = false
            self?.refresh()
        }
    }

    func appear() { if let question { question.focus() } else { cancel?.focus() } }
    func leave() { question?.wipe() }

    func draw(_ screen: Screen) -> Bool {
        guard case .ask(let ask) = screen, ask.isLike(shown) else { return false }
        let hasNews = ask.trouble != nil && ask != shown
        shown = ask
        trouble.text(ask.question == nil ? ask.trouble ?? "" : "")
        trouble.shown(ask.question == nil && ask.trouble != nil)
        if let newer = ask.question { _ = question?.draw(newer) }
        if hasNews { question?.focus() }
        refresh()
        return true
    }

    private func refresh() {
        cancel?.enabled(!shown.isBusy || ok == nil)
        ok?.enabled(!shown.isBusy && !isFresh && question?.isAnswered != false)
    }
}
