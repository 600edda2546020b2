import CWindow
import WindowModel

/// A step of connecting a bank: the ways to its link, the entry for the link, and the wait for its page.
@MainActor
final class AddBankPage: Page {
    let widget = Widget.column()
    private let shown: Screen.AddBank
    private let body = Widget.column(16).margins(18, 18)
    private let trouble = TroubleView()
    private var entry: Widget?
    private var go: Widget?
    private var first: Widget?
    private var isBusy = false
    private let report: Report

    init(_ step: Screen.AddBank, _ report: @escaping Report) {
        (shown, self.report) = (step, report)
        let (header, _) = Widget.header("Add a bank") { report(.back) }
        switch step {
        case .ways(let headline, _): drawWays(headline)
        case .paste: drawPaste()
        case .working(let words): drawWork(words)
        case .waiting(let address, let isOpened, _): drawWait(address, isOpened)
        }
        widget.append(header, Widget(countersign_scroller(body.pointer)).unfocusable())
    }

    func appear() { (entry ?? first)?.focus() }

    func draw(_ screen: Screen) -> Bool {
        guard case .addBank(let step) = screen else { return false }
        switch (step, shown) {
        case (.ways(let a, let trouble), .ways(let b, _)) where a == b: self.trouble.draw(trouble)
        case (.paste(let trouble, let isBusy), .paste):
            self.trouble.draw(trouble)
            self.isBusy = isBusy
        case (.working(let a), .working(let b)): return a == b
        case (.waiting(let a, let isOpened, let trouble), .waiting(let b, let wasOpened, _))
        where a == b && isOpened == wasOpened: self.trouble.draw(trouble)
        default: return false
        }
        refresh()
        return true
    }

    private func refresh() { go?.enabled(!isBusy && entry?.typed.isEmpty == false) }

    // MARK: The steps

    private func drawWays(_ headline: String) {
        body.append(
            Widget.label(headline, "title-2").centredText(),
            Widget.label(
                "Open your bank's page, choose \u{201c}Add an authenticator\u{201d}, and let Countersign read the code."
            ).centredText(), trouble.widget)
        first = way("video-display-symbolic", "Read the screen", "the code is on this screen now", .readScreen)
        body.append(
            first ?? body, way("image-x-generic-symbolic", "Open a picture", "or drop one here", .openPicture),
            way("insert-link-symbolic", "Paste a link", "the bank gives a link under the code", .paste))
        body.onFile { [report] in report(.bank(.adding(.picture($0)))) }
    }

    private func way(_ symbol: String, _ words: String, _ more: String, _ event: AddingEvent) -> Widget {
        let button = Widget(gtk_button_new()).named(words).described(more)
        let texts = Widget.column(2).expanded().append(
            Widget.label(words, "heading"), Widget.label(more, "caption", "dim-label"))
        gtk_button_set_child(
            button.to(),
            Widget.row(14).margins(10, 6).append(
                Widget.symbol(symbol, size: 28, "accent"), texts, Widget.symbol("go-next-symbolic", size: 16)
            ).pointer)
        button.on("clicked") { [report] in report(.bank(.adding(event))) }
        return button
    }

    private func drawPaste() {
        body.append(
            Widget.label("Paste the link", "title-2").centredText(),
            Widget.label("Copy the link from your bank's page, and paste it here. Nothing is sent before you said yes.")
                .centredText())
        drawEntry("the link begins with a word like authenticator:") { .link($0) }
        body.append(trouble.widget)
    }

    private func drawEntry(_ hint: String, _ event: @escaping (String) -> AddingEvent) {
        let entry = Widget.entry("Link", hint: hint)
        let go = Widget.button("Continue", "pill", "suggested-action")
        let act: @MainActor () -> Void = { [weak self] in
            guard let self, !isBusy, !entry.typed.isEmpty else { return }
            report(.bank(.adding(event(entry.typed))))
        }
        entry.on("activate", act)
        entry.on("changed") { [weak self] in self?.refresh() }
        go.on("clicked", act)
        body.append(entry, go)
        (self.entry, self.go) = (entry, go)
        refresh()
    }

    private func drawWork(_ words: String) {
        let spinner = Widget(gtk_spinner_new())
        gtk_spinner_start(spinner.to())
        gtk_widget_set_size_request(spinner.pointer, 32, 32)
        countersign_hide_from_readers(spinner.pointer)
        body.append(spinner.narrow(), Widget.label(words, "title-2").centredText(), cancel())
    }

    private func cancel() -> Widget {
        let cancel = Widget.button("Cancel", "pill") { [report] in report(.back) }
        first = cancel
        return cancel
    }

    private func drawWait(_ address: String, _ isOpened: Bool) {
        body.append(
            Widget.label("Waiting for the bank's page", "title-2").centredText(),
            Widget.label(
                isOpened
                    ? "Sign in at your bank in the browser that just opened. This page goes on by itself."
                    : "Open the bank's page in your browser, and sign in there. This page goes on by itself."
            ).centredText(), trouble.widget)
        let copy = Widget.button("Copy", "flat").middle()
        copy.on("clicked") { countersign_copy(copy.pointer, address) }
        body.append(
            Widget.row(12, "card", "sheet").append(
                Widget.column(2).expanded().append(
                    Widget.label("The browser did not open?", "heading"),
                    Widget.label("Copy the address and open it yourself.", "caption", "dim-label")), copy),
            Widget.label("The browser stopped at an error page?", "heading"),
            Widget.label("Paste the address that it shows.", "caption", "dim-label"))
        drawEntry("the last address") { .address($0) }
        body.append(cancel())
    }
}
