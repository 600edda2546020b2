import CWindow
import WindowModel

/// The connected banks.
@MainActor
final class BanksPage: Page {
    let widget = Widget.column()
    private let trouble = TroubleView()
    private let notice = Widget.label("", "notice")
    private let list: RowList
    private let empty = Widget.column(16).margins(24, 0)
    private let add: Widget

    init(_ report: @escaping Report) {
        list = RowList { report(.bank(.open($0))) }
        add = Widget.button("Add a bank", "pill", "suggested-action") { report(.bank(.add)) }.narrow()
        empty.append(
            Widget(countersign_bank(72)).styled("accent"),
            Widget.label("No bank yet", "title-1").centredText(),
            Widget.label(
                "On your bank's page choose \u{201c}Add an authenticator\u{201d}. It shows a code with black and white squares: that is all you need."
            ).centredText())
        let body = Widget.column(18).margins(18, 18).append(notice, trouble.widget, empty, list.widget, add)
        widget.append(Widget.header("Banks", menuOf: report), Widget(countersign_scroller(body.pointer)).unfocusable())
    }

    func appear() { if list.rows.isEmpty { add.focus() } else { list.focus() } }

    func draw(_ screen: Screen) -> Bool {
        guard case .banks(let banks) = screen else { return false }
        trouble.draw(banks.trouble)
        notice.text(banks.notice ?? "")
        notice.shown(banks.notice != nil)
        let rows = banks.rows ?? []
        list.draw(
            rows.map { RowList.Row(title: $0.bank, lines: [$0.host, $0.since], status: $0.status, id: $0.connection) })
        list.widget.shown(!rows.isEmpty)
        empty.shown(banks.rows?.isEmpty == true)
        return true
    }
}

/// One bank.
@MainActor
final class BankPage: Page {
    let widget = Widget.column()
    private let shown: Screen.Bank
    private let notice = Widget.label("", "notice")
    private let trouble = TroubleView()
    private var buttons: [Widget] = []

    init(_ bank: Screen.Bank, _ report: @escaping Report) {
        shown = bank
        let (header, _) = Widget.header("Bank") { report(.back) }
        let body = Widget.column(14).margins(18, 18).append(
            Widget.monogram(bank.bank, size: 64).narrow(), Widget.label(bank.bank, "title-1").centredText(),
            Widget.label(bank.host, "monospace").centredText(), Widget.badge(bank.status), notice, trouble.widget)
        func button(_ words: String, _ style: String..., event: BankEvent) -> Widget {
            let button = Widget.button(words, "pill") { report(.bank(event)) }
            for name in style { _ = button.styled(name) }
            buttons.append(button)
            return button
        }
        if let advice = bank.advice {
            body.append(
                Widget.column(10, "card", "trouble").append(
                    Widget.label(advice), button("Reconnect", "suggested-action", event: .reconnect).narrow()))
        }
        body.append(Widget.label("May read your accounts", "heading"))
        if let words = bank.noConsents { body.append(Widget.label(words, "dim-label")) }
        for consent in bank.consents {
            let texts = Widget.column(2).expanded().append(
                Widget.label(consent.title, "heading"), Widget.label(consent.detail, "caption", "dim-label"))
            body.append(
                Widget.row(12, "card", "sheet").append(
                    texts,
                    button("Revoke", "flat", event: .revoke(consent.reference)).described(consent.title).middle()))
        }
        body.append(Widget.label("Connection", "heading"), AskingPage.lines(bank.facts))
        let acts = Widget.column(10)
        acts.append(button("Prove the connection", event: .prove), button("Rename", event: .rename))
        if bank.advice == nil { acts.append(button("Reconnect", event: .reconnect)) }
        acts.append(button("Disconnect", "destructive-action", event: .disconnect))
        body.append(acts)
        widget.append(header, Widget(countersign_scroller(body.pointer)))
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .bank(let bank) = screen, bank.isSame(as: shown) else { return false }
        notice.text(bank.notice ?? "")
        notice.shown(bank.notice != nil)
        trouble.draw(bank.trouble)
        for button in buttons { button.enabled(!bank.isBusy) }
        return true
    }
}
