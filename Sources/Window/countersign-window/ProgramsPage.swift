import CWindow
import WindowModel

/// The programs that ask now, above those that may have tokens.
@MainActor
final class ProgramsPage: Page {
    let widget = Widget.column()
    private var shown: Screen.Programs?
    private let body = Widget.column(18).margins(18, 18)
    private let report: Report

    init(_ report: @escaping Report) {
        self.report = report
        let scroller = Widget(countersign_scroller(body.pointer))
        gtk_widget_set_focusable(scroller.pointer, 0)
        widget.append(Widget.header("Programs", menuOf: report), scroller)
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .programs(let programs) = screen else { return false }
        guard programs != shown else { return true }
        shown = programs
        body.clear()
        if let trouble = programs.trouble { body.append(Widget.trouble(trouble)) }
        if programs.isLoaded, programs.asking.isEmpty, programs.grants.isEmpty {
            body.append(
                Widget.column(16).centred().append(
                    Widget.symbol("utilities-terminal-symbolic", size: 72, "accent"),
                    Widget.label("No program asks", "title-1").centredText(),
                    Widget.label(
                        "A program that wants a token of your sign-ins is listed here, and gets nothing before "
                            + "you allow it."
                    ).centredText()))
        }
        if !programs.asking.isEmpty { body.append(Widget.label("Asks now", "heading")) }
        for asking in programs.asking { body.append(card(asking)) }
        guard !programs.grants.isEmpty else { return true }
        let list = Widget.list()
        for grant in programs.grants {
            let texts = Widget.column(2).append(
                Widget.label(grant.name, "heading"), Widget.label(grant.words, "caption", "dim-label"))
            let revoke = Widget.button("Revoke", "flat") { [report] in report(.programs(.revoke(grant.id))) }
            gtk_widget_set_valign(revoke.pointer, GTK_ALIGN_CENTER)
            let row = Widget.listRow(
                grant.name, grant.id, Widget.row(12).margins(10, 14).append(texts.expanded(), revoke))
            gtk_list_box_row_set_activatable(row.to(), 0)
            gtk_list_box_append(list.to(), row.pointer)
        }
        body.append(Widget.label("May have tokens", "heading"), list)
        return true
    }

    private func card(_ asking: Screen.Programs.Asking) -> Widget {
        let card = Widget.column(12, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP).named(asking.name)
            .described(asking.id)
        card.append(Widget.label(asking.name, "title-3"))
        for fact in asking.facts { card.append(Widget.fact(fact.label, fact.value)) }
        let refuse = Widget.button("Refuse", "pill") { [report] in report(.programs(.refuse(asking.id))) }
        let allow = Widget.button("Allow", "pill", "suggested-action") { [report] in
            report(.programs(.allow(asking.id)))
        }
        return card.append(Widget.pair(refuse, allow))
    }
}
