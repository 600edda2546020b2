import CWindow
import WindowModel

/// Sessions at issuers, and the sites that get their tokens.
@MainActor
final class SignInsPage: Page {
    let widget = Widget.column()
    private var shown: Screen.SignIns?
    private let body = Widget.column(18).margins(18, 18)
    private let report: Report

    init(_ report: @escaping Report) {
        self.report = report
        let scroller = Widget(countersign_scroller(body.pointer))
        gtk_widget_set_focusable(scroller.pointer, 0)
        widget.append(Widget.header("Sign-ins", menuOf: report), scroller)
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .signIns(let signIns) = screen else { return false }
        guard signIns != shown else { return true }
        shown = signIns
        body.clear()
        if let trouble = signIns.trouble { body.append(Widget.trouble(trouble)) }
        if signIns.isLoaded, signIns.rows.isEmpty {
            body.append(
                Widget.column(16).centred().append(
                    Widget.symbol("avatar-default-symbolic", size: 72, "accent"),
                    Widget.label("Nobody is signed in", "title-1").centredText(),
                    Widget.label("Sign in once at an issuer, and your programs get their tokens here.").centredText()))
        }
        if !signIns.rows.isEmpty {
            let list = Widget.list()
            for row in signIns.rows {
                let texts = Widget.column(2).append(
                    Widget.label(row.title, "heading"), Widget.label(row.host, "caption", "dim-label"),
                    Widget.label(row.state, "caption", "dim-label"))
                let content = Widget.row(12).margins(12, 14).append(Widget.monogram(row.title), texts.expanded())
                gtk_list_box_append(list.to(), Widget.listRow(row.title, row.name, content).pointer)
            }
            list.onRow { [report] place in
                if signIns.rows.indices.contains(place) { report(.signIns(.open(signIns.rows[place].name))) }
            }
            body.append(list)
        }
        if signIns.isLoaded {
            body.append(
                Widget.button("Sign in", "pill", "suggested-action") { [report] in report(.signIns(.signIn)) })
        }
        if !signIns.sites.isEmpty {
            body.append(Widget.label("Sites", "heading"), Widget.sites(signIns.sites))
        }
        return true
    }
}

/// One session: its account, the programs and sites that get its tokens, and its end.
@MainActor
final class SessionPage: Page {
    let widget = Widget.column()
    private let shown: Screen.SessionPage
    private let back: Widget

    init(_ page: Screen.SessionPage, _ report: @escaping Report) {
        shown = page
        let header: Widget
        (header, back) = Widget.header("Sign-in") { report(.back) }
        let body = Widget.column(18).margins(18, 18)
        if let trouble = page.trouble { body.append(Widget.trouble(trouble)) }
        let profile = Widget.column(10, "card", "sheet")
        for line in page.profile { profile.append(Widget.fact(line.label, line.value)) }
        body.append(
            Widget.monogram(page.headline, size: 72).narrow(), Widget.label(page.headline, "title-1").centredText(),
            Widget.label(page.host, "monospace").centredText(), Widget.label("Profile", "heading"), profile)
        func list(_ headline: String, _ sites: [Screen.SignIns.Site]) {
            if !sites.isEmpty { body.append(Widget.label(headline, "heading"), Widget.sites(sites)) }
        }
        list("Services", page.services)
        list("Sites", page.sites)
        list("Programs", page.programs)
        func button(_ words: String, _ event: SignInsEvent, _ classes: String...) -> Widget {
            let button = Widget.button(words, "pill") { report(.signIns(event)) }
            for name in classes { gtk_widget_add_css_class(button.pointer, name) }
            button.enabled(!page.isBusy)
            return button
        }
        body.append(
            Widget.column(10).append(
                button("Rename", .rename), button("Sign out at…", .setEnd),
                button(page.isKept ? "Do not keep signed in" : "Keep signed in", .keep),
                button("Sign out", .signOut, "destructive-action")))
        let scroller = Widget(countersign_scroller(body.pointer))
        gtk_widget_set_focusable(scroller.pointer, 0)
        widget.append(header, scroller)
    }

    func appear() { back.focus() }

    func draw(_ screen: Screen) -> Bool {
        if case .session(let page) = screen { page == shown } else { false }
    }
}

extension Widget {
    /// A list of sites or programs that has no buttons.
    fileprivate static func sites(_ sites: [Screen.SignIns.Site]) -> Widget {
        let list = Widget.list()
        for site in sites {
            let texts = Widget.column(2).margins(10, 14).append(Widget.label(site.name, "heading"))
            if !site.words.isEmpty { texts.append(Widget.label(site.words, "caption", "dim-label")) }
            let row = Widget.listRow(site.name, site.id, texts)
            gtk_list_box_row_set_activatable(row.to(), 0)
            gtk_list_box_append(list.to(), row.pointer)
        }
        return list
    }

    /// A failure, and the next step.
    static func trouble(_ trouble: Screen.Trouble) -> Widget {
        let column = Widget.column(4, "card", "question").append(Widget.label(trouble.message, "error"))
        if let hint = trouble.hint { column.append(Widget.label(hint, "caption", "dim-label")) }
        return column
    }
}
