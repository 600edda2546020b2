import CWindow
import WindowModel

/// A question that has the page for itself, with a place for an answer if it takes one.
@MainActor
final class AskingPage: Page {
    let widget = Widget.column()
    private let shown: Screen.Asking
    private let trouble = TroubleView()
    private let entry: Widget?
    private let ok: Widget
    private let cancel: Widget
    private var isBusy = false
    /// The second click of a double one, which was meant for the page before, answers nothing.
    private var isFresh = true

    /// - Parameters:
    ///   - confirm: gets the text of the entry.
    init(
        _ asking: Screen.Asking, confirm: @escaping @MainActor (String) -> Void,
        cancel leave: @escaping @MainActor () -> Void
    ) {
        shown = asking
        entry = asking.entry.map { Widget.entry($0.name, text: $0.text) }
        ok = Widget.button(asking.ok, "pill", asking.isDestructive ? "destructive-action" : "suggested-action")
        cancel = Widget.button("Cancel", "pill", act: leave)
        let (header, _) = Widget.header(asking.title, back: leave)
        let body = Widget.column(18).margins(18, 18).append(Widget.label(asking.headline, "title-2").centredText())
        body.append(Self.lines(asking.lines))
        if let entry { body.append(entry) }
        body.append(trouble.widget)
        // Two long buttons beside each other would be wider than a narrow window.
        let isLong = asking.ok.count > 12
        let bar = isLong ? Widget.column(10) : Widget.row(12)
        bar.margins(12, 18).append(isLong ? ok : cancel.expanded(), isLong ? cancel : ok.expanded())
        if !isLong { gtk_box_set_homogeneous(bar.to(), 1) }
        widget.append(
            header, Widget(countersign_scroller(body.pointer)).unfocusable(), Widget.column(0, "bar").append(bar))
        let act: @MainActor () -> Void = { [weak self] in
            guard let self, isAnswered else { return }
            confirm(entry?.typed ?? "")
        }
        ok.on("clicked", act)
        entry?.on("activate", act)
        entry?.on("changed") { [weak self] in self?.refresh() }
        after(.milliseconds(500)) { [weak self] in
            self?.isFresh = false
            self?.refresh()
        }
    }

    /// Labels of ours with their values, each one below the other.
    static func lines(_ lines: [Screen.Line]) -> Widget {
        let card = Widget.column(12, "card", "sheet")
        for line in lines {
            if let label = line.label {
                card.append(
                    Widget.column(2).append(
                        Widget.label(label, "caption", "dim-label"), Widget.label(line.value, "heading")))
            } else {
                card.append(Widget.label(line.value))
            }
        }
        return card
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .asking(let asking) = screen, asking.isSame(as: shown) else { return false }
        trouble.draw(asking.trouble)
        isBusy = asking.isBusy
        refresh()
        return true
    }

    /// A yes must not be given by a key that was meant for the page before.
    func appear() {
        if let entry { entry.focus() } else { cancel.focus() }
    }

    private var isAnswered: Bool {
        let demanded = shown.entry?.demanded
        return !isBusy && !isFresh
            && (entry.map { !$0.typed.isEmpty && (demanded == nil || demanded == $0.typed) } ?? true)
    }

    private func refresh() {
        ok.enabled(isAnswered)
        cancel.enabled(!isBusy)
    }
}

/// Why something failed, and the next step; takes no room while nothing did.
@MainActor
final class TroubleView {
    let widget = Widget.column(4, "card", "trouble")
    private let message = Widget.label("", "heading")
    private let hint = Widget.label("")

    init() { widget.append(message, hint) }

    func draw(_ trouble: Screen.Trouble?) {
        message.text(trouble?.message ?? "")
        hint.text(trouble?.hint ?? "")
        hint.shown(trouble?.hint != nil)
        widget.shown(trouble != nil)
    }
}
