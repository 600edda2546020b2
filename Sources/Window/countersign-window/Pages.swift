import CWindow
import WindowModel

/// A page of the window. It draws the model's screen, and reports the person's acts.
@MainActor
protocol Page: AnyObject {
    var widget: Widget { get }
    /// Draws the screen. Returns false if another page is needed for it.
    func draw(_ screen: Screen) -> Bool
    /// Takes the focus where this page wants it, when it appears.
    func appear()
    /// The person turned to the window, or away from it.
    func turned()
    /// The page is left: nothing that was typed may stay.
    func leave()
}

extension Page {
    func appear() {}
    func turned() {}
    func leave() {}
}

typealias Report = @MainActor (WindowEvent) -> Void

/// Before an agent is there, or when there is none.
@MainActor
final class StatusPage: Page {
    let widget = Widget.column()
    private let headline = Widget.label("", "title-1").centredText()
    private let words = Widget.label("").centredText()
    private let hint = Widget.label("", "dim-label").centredText()
    private let again: Widget

    init(_ report: @escaping Report) {
        again = Widget.button("Try now", "pill", "suggested-action") { report(.connect) }.narrow()
        widget.append(
            Widget.header("Countersign"),
            Widget.column(18).centred().margins(24, 24).append(headline, words, hint, again))
    }

    func draw(_ screen: Screen) -> Bool {
        switch screen {
        case .connecting:
            headline.text("Looking for the agent")
            for part in [words, hint, again] { part.shown(false) }
        case .stopped(let trouble):
            headline.text("No agent")
            words.text(trouble.message)
            words.shown(true)
            hint.text(trouble.hint ?? "")
            hint.shown(trouble.hint != nil)
            again.shown(true)
        default: return false
        }
        return true
    }
}

@MainActor
final class LockedPage: Page {
    let widget = Widget.column()
    private let waiting = Widget.label("", "caption-heading", "waiting").narrow()
    private let note = Widget.label("").centredText()
    private let trouble = Widget.label("", "error").centredText()
    private let hint = Widget.label("", "caption", "dim-label").centredText()
    private let unlock = Widget.button("Unlock", "pill", "suggested-action")
    private let field = PINField()
    private let warning = Widget.label("", "card", "trouble")
    private let block = Widget.column(6)
    private let ring = Widget(countersign_ring())
    private let time = Widget.label("", "title-2", "numeric").centredText()
    private var isBusy = false

    init(_ report: @escaping Report) {
        unlock.on("clicked") { [weak self] in self?.enter(report) }
        field.widget.on("activate") { [weak self] in self?.enter(report) }
        field.widget.on("changed") { [weak self] in self?.refresh() }
        let body = Widget.column(14).centred().margins(24, 24)
        gtk_widget_set_size_request(body.pointer, 260, -1)
        body.append(
            Widget.symbol("system-lock-screen-symbolic", size: 64, "accent"),
            Widget.label("Locked", "title-1").centredText(),
            Widget.label("Enter your PIN to see what your banks ask.").centredText(), note, waiting, trouble,
            hint, warning, block, field.widget, unlock,
            Widget.button("Forgotten?", "flat") { report(.forgotten) }.narrow())
        gtk_widget_set_size_request(ring.pointer, 72, 72)
        block.append(ring.narrow(), time)

        let middle = Widget.column().narrow().centred().append(body)
        widget.append(Widget.header("Countersign"), middle)
        for part in [note, waiting, trouble, hint] { part.shown(false) }
        refresh()
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .locked(let locked) = screen else { return false }
        waiting.text(locked.waiting ?? "")
        waiting.shown(locked.waiting != nil)
        note.text(locked.note ?? "")
        note.shown(locked.note != nil)
        trouble.text(locked.trouble?.message ?? "")
        trouble.shown(locked.trouble != nil)
        hint.text(locked.trouble?.hint ?? "")
        hint.shown(locked.trouble?.hint != nil)
        warning.text(locked.warning ?? "")
        warning.shown(locked.warning != nil)
        time.text(locked.block.map { "Next try in \($0.text)" } ?? "")
        countersign_ring_set(ring.pointer, locked.block?.share ?? 0)
        block.shown(locked.block != nil)
        field.widget.enabled(locked.block == nil)
        if isBusy, !locked.isBusy { field.widget.focus() }
        isBusy = locked.isBusy || locked.block != nil
        refresh()
        return true
    }

    func appear() { field.widget.focus() }
    func leave() { field.wipe() }

    private func refresh() { unlock.enabled(!isBusy && !field.isEmpty) }

    private func enter(_ report: Report) {
        guard !isBusy, let pin = field.take() else { return }
        report(.unlock(pin))
    }
}

@MainActor
final class ResultPage: Page {
    let widget = Widget.column()
    private let shown: Screen.ResultPage
    private let done: Widget

    init(_ result: Screen.ResultPage, _ report: @escaping Report) {
        shown = result
        let (header, _) = Widget.header("Countersign") { report(.back) }
        let (symbol, style) = result.sign.symbol
        let body = Widget.column(16).centred().margins(24, 24)
        body.append(
            Widget.symbol(symbol, size: 72, style), Widget.label(result.headline, "title-1").centredText(),
            Widget.label(result.about, "title-2").centredText(), Widget.label(result.words).centredText())
        if let code = result.code {
            body.append(Widget.label(code, "title-1", "monospace").centredText())
            if let words = result.bankWords {
                let sheet = Widget.column(4, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP)
                body.append(sheet.named("Written by the bank").append(Widget.label(words)))
            }
            let copy = Widget.button("Copy", "pill")
            copy.on("clicked") { gdk_clipboard_set_text(gtk_widget_get_clipboard(copy.pointer), code) }
            body.append(copy.narrow())
        }
        let buttons = Widget.column(10).narrow()
        if result.waiting > 0 {
            buttons.append(
                Widget.button("Next request (\(result.waiting))", "pill", "suggested-action") { report(.nextRequest) }
                    .named("Next request"))
        }
        done = Widget.button("Done", "pill") { report(.back) }
        buttons.append(done)
        body.append(buttons)
        widget.append(header, Widget(countersign_scroller(body.pointer)))
    }

    func appear() { done.focus() }

    func draw(_ screen: Screen) -> Bool {
        if case .result(let result) = screen { result == shown } else { false }
    }
}
