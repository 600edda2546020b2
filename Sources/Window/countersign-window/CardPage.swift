import ApprovalModel
import Approvals
import CWindow
import WindowModel

/// The whole card, the question that is open below its end, and the bar with the decisions, which is always in sight.
@MainActor
final class CardPage: Page {
    private enum Buttons {
        case decisions(Widget, approve: Widget)
        case answers(Widget, to: Verdict, cancel: Widget, confirm: Widget)

        var row: Widget {
            switch self {
            case .decisions(let row, _), .answers(let row, _, _, _): row
            }
        }
    }

    let widget = Widget.column()
    private let number: Int
    private let version: Int
    private let time = Widget.label("", "numeric").unbroken()
    private let ring = Widget(countersign_ring())
    private let note = Widget.label("", "trouble")
    private let card: Widget
    private let details: DetailsView
    private let below = Widget.column(12)
    private let scroller: Widget
    private let advice = Widget.label("", "caption", "dim-label").centredText()
    /// The buttons. Those that are not there now are not in the tree, so that each name stands for one button.
    private let bar = Widget.column(8).margins(12, 18)
    private var buttons: Buttons?
    private let back: Widget
    private var question: QuestionView?
    private var isSending = false
    private var hasSeenEnd = false
    private let report: Report

    init(_ page: Screen.CardPage, _ report: @escaping Report) {
        (number, version, self.report) = (page.number, page.version, report)
        card = Self.card(page.parts)
        details = DetailsView { report(.showSource) }
        let content = Widget.column(18).margins(18, 18).append(card, details.widget, below)
        scroller = Widget(countersign_scroller(content.pointer))
        let header: Widget
        (header, back) = Widget.header("Request") { report(.back) }
        adw_header_bar_pack_end(header.to(), Widget.row(8).append(ring, time).pointer)
        bar.append(advice)
        widget.append(header, note, scroller, Widget.column(0, "bar").append(bar))
        // The place of the content is known only after the layout that the signal announces.
        scroller.onScrolling { [weak self] in after(.milliseconds(20)) { self?.look() } }
    }

    func appear() { scroller.focus() }
    func turned() { look() }
    func leave() { question?.wipe() }

    func draw(_ screen: Screen) -> Bool {
        guard case .card(let page) = screen, page.number == number, page.version == version else { return false }
        time.text(page.time?.text ?? "")
        countersign_ring_set(ring.pointer, page.time?.share ?? 0)
        ring.shown(page.time != nil)
        note.text(page.note ?? "")
        note.shown(page.note != nil)
        advice.text(page.advice ?? "")
        advice.shown(page.advice != nil)
        isSending = page.isSending
        details.draw(page.details)
        draw(page.question)
        if case .decisions(_, let approve)? = buttons { approve.enabled(page.canApprove) }
        return true
    }

    private func draw(_ asked: Screen.Question?) {
        guard let asked else {
            if let question {
                question.wipe()
                below.remove(question.widget)
                self.question = nil
            }
            if case .decisions? = buttons { return }
            place(decisions())
            scroller.focus()
            return
        }
        if question?.draw(asked) != true {
            if let question {
                question.wipe()
                below.remove(question.widget)
            }
            let made = QuestionView(asked)
            made.whenChanged { [weak self] in self?.refresh() }
            made.whenEntered { [weak self] in self?.answer() }
            below.append(made.widget)
            question = made
            if case .answers(_, to: asked.verdict, _, _)? = buttons {} else { place(answers(to: asked.verdict)) }
            made.focus()
        }
        refresh()
    }

    private func decisions() -> Buttons {
        let deny = Widget.button("Deny", "pill") { [report] in report(.decide(.deny)) }
        let approve = Widget.button("Approve", "pill", "suggested-action") { [report] in report(.decide(.approve)) }
        let disown = Widget.button("It was not me", "flat") { [report] in report(.disown) }
        return .decisions(
            Widget.column(6).append(Widget.pair(deny, approve), disown.narrow()), approve: approve)
    }

    private func answers(to verdict: Verdict) -> Buttons {
        let cancel = Widget.button("Cancel", "pill") { [report] in report(.cancel) }
        let confirm =
            verdict == .approve
            ? Widget.button("Approve", "pill", "suggested-action") : Widget.button("Deny", "pill", "destructive-action")
        confirm.on("clicked") { [weak self] in self?.answer() }
        return .answers(Widget.pair(cancel, confirm), to: verdict, cancel: cancel, confirm: confirm)
    }

    private func place(_ made: Buttons) {
        if let buttons { bar.remove(buttons.row) }
        bar.append(made.row)
        buttons = made
    }

    private func refresh() {
        guard case .answers(_, _, let cancel, let confirm)? = buttons else { return }
        confirm.enabled(question?.isAnswered == true && !isSending)
        cancel.enabled(!isSending)
    }

    private func answer() {
        guard !isSending, let question, let event = question.take() else { return }
        report(event)
    }

    /// Reports when the end of the card is on screen.
    private func look() {
        guard !hasSeenEnd, countersign_shows_end(scroller.pointer, card.pointer) != 0 else { return }
        hasSeenEnd = true
        report(.sawEnd(number: number, version: version))
    }

    // MARK: The card

    /// Each text of the card is a plain label. Bank and host stand above the rest, but are read after it, as `show` has
    /// them.
    private static func card(_ parts: Card.Parts) -> Widget {
        let sheet = Widget.column(14, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP).named("Written by the bank")
        sheet.append(Self.labels(parts.title, "title-3"))
        for section in parts.sections {
            switch section {
            case .text(let text): sheet.append(Self.labels(text))
            case .fields(let fields): for field in fields { sheet.append(value(field)) }
            }
        }
        if let headline = parts.optionsHeadline {
            let options = Widget.column(4).append(Widget.label(headline, "caption", "dim-label"))
            for option in parts.options { options.append(Self.labels(option, "heading")) }
            sheet.append(options)
        }
        let ours = Widget.column(10)
        for warning in parts.warnings { ours.append(Widget.label(warning, "heading", "warning")) }
        if let status = parts.status { ours.append(Widget.label(status)) }
        ours.append(Widget.label(parts.fingerprint, "caption", "monospace"))
        let place = Widget.row(12).append(
            Widget.monogram(parts.bank), Widget.label(parts.bank + " · " + parts.host, "heading").expanded())
        let grid = Widget(countersign_grid(GTK_ACCESSIBLE_ROLE_REGION)).named("Card")
        gtk_grid_set_row_spacing(grid.to(), 14)
        for (part, row) in [(sheet.expanded(), 1), (place, 0), (ours, 2)] {
            gtk_grid_attach(grid.to(), part.pointer, 0, Int32(row), 1, 1)
        }
        return grid
    }

    /// A text of the bank, which may be longer than one label can be.
    private static func labels(_ text: String, _ classes: String...) -> Widget {
        let labels = TextPieces.of(text).map { Widget.label($0, classes) }
        guard labels.count > 1 else { return labels[0] }
        let column = Widget.column()
        for label in labels { column.append(label) }
        return column
    }

    private static func value(_ field: Card.Parts.Value) -> Widget {
        let style =
            switch field.key {
            case "amount": "title-1"
            case "payee": "title-3"
            default: "body"
            }
        return Widget.column(2).append(
            Self.labels(field.label, "caption", "dim-label"), Self.labels(field.value, style))
    }
}
