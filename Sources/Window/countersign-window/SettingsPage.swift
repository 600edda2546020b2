import CWindow
import WindowModel

/// Doctor's judgement, and the ways to another PIN and to the end of everything.
@MainActor
final class SettingsPage: Page {
    let widget = Widget.column()
    private let trouble = TroubleView()
    private let findings = Widget.column(10)
    private let change: Widget
    private var shown: [Finding]?

    init(_ report: @escaping Report) {
        let (header, _) = Widget.header("Settings") { report(.back) }
        change = Widget.button("Change PIN", "pill") { report(.settings(.changePIN)) }
        findings.append(Widget.label("Looking at this computer", "dim-label"))
        let body = Widget.column(14).margins(18, 18).append(
            Widget.label("PIN", "heading"), change, trouble.widget, Widget.label("This computer", "heading"), findings,
            Widget.label("The end", "heading"),
            Widget.button("Remove everything", "pill", "destructive-action") { report(.settings(.remove)) })
        widget.append(header, Widget(countersign_scroller(body.pointer)).unfocusable())
    }

    func appear() { change.focus() }

    func draw(_ screen: Screen) -> Bool {
        guard case .settings(let settings) = screen else { return false }
        trouble.draw(settings.trouble)
        guard let wanted = settings.findings, wanted != shown else { return true }
        while let old = gtk_widget_get_first_child(findings.pointer) { findings.remove(Widget(old)) }
        for finding in wanted { findings.append(Self.widget(finding)) }
        shown = wanted
        return true
    }

    /// A word says whether it is good, not the colour alone.
    private static func widget(_ finding: Finding) -> Widget {
        let head = Widget.row(12).append(
            Widget.label(finding.name.replacing("-", with: " "), "heading").expanded(),
            Widget.badge(Screen.Status(word: finding.isGood ? "good" : "wrong", sign: finding.isGood ? .good : .bad)))
        let card = Widget.column(4, "card", "finding").append(head, Widget.label(finding.words, "caption"))
        if let hint = finding.hint { card.append(Widget.label(hint, "caption", "dim-label")) }
        return card
    }
}

/// The old PIN, and a new one twice.
@MainActor
final class ChangePINPage: Page {
    let widget = Widget.column()
    private let old = PINField("PIN")
    private let new = PINField("New PIN")
    private let again = PINField("Repeat PIN")
    private let differ = Widget.label("The two new PINs differ.", "caption", "error")
    private let trouble = TroubleView()
    private let change = Widget.button("Change PIN", "pill", "suggested-action")
    private var isBusy = false

    init(_ report: @escaping Report) {
        let (header, _) = Widget.header("Change PIN") { report(.back) }
        let act: @MainActor () -> Void = { [weak self] in
            guard let self, isReady, let from = old.take(), let to = new.take() else { return }
            again.wipe()
            report(.settings(.change(from, to: to)))
        }
        change.on("clicked", act)
        again.widget.on("activate", act)
        for field in [old, new, again] { field.widget.on("changed") { [weak self] in self?.refresh() } }
        let body = Widget.column(12).margins(18, 18).append(
            Widget.label("6 to 16 digits, or 8 or more characters. Afterwards the old PIN opens nothing."), old.widget,
            new.widget, again.widget, differ, trouble.widget, change)
        widget.append(header, Widget(countersign_scroller(body.pointer)).unfocusable())
        refresh()
    }

    func appear() { old.widget.focus() }
    func leave() { for field in [old, new, again] { field.wipe() } }

    func draw(_ screen: Screen) -> Bool {
        guard case .changePIN(let page) = screen else { return false }
        trouble.draw(page.trouble)
        if isBusy, !page.isBusy { old.widget.focus() }
        isBusy = page.isBusy
        refresh()
        return true
    }

    private var isReady: Bool { !isBusy && !old.isEmpty && !new.isEmpty && new.equals(again) }

    private func refresh() {
        change.enabled(isReady)
        differ.shown(!again.isEmpty && !new.equals(again))
    }
}
