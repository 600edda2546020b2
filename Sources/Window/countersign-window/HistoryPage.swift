import CWindow
import WindowModel

/// The log of decisions: whether it is whole, a search, and its entries. The list makes widgets only for those that can be seen.
@MainActor
final class HistoryPage: Page {
    let widget = Widget.column()
    private let verdict = Widget.label("", "caption")
    private let trouble = Widget.label("").centredText()
    private let empty: Widget
    private let filled: Widget
    private let search: Widget
    private var isListed = false
    private let choice = Widget.column(4)
    private let list: EntryList
    private var connections: [String]?
    private var chosen: String?
    private let report: Report

    init(_ report: @escaping Report) {
        self.report = report
        list = EntryList { report(.history(.open($0))) }
        search = Widget(gtk_search_entry_new()).named("Search").expanded()
        search.on("search-changed") { [search] in
            report(.history(.search(String(cString: gtk_editable_get_text(search.to())))))
        }
        empty = Widget.column(16).centred().margins(24, 24).append(
            Widget.symbol("document-open-recent-symbolic", size: 72, "accent"),
            Widget.label("No decision yet", "title-1").centredText(),
            Widget.label("What you approve or deny is listed here, with what you were shown.").centredText())
        let top = Widget.column(10).margins(12, 18).append(search, choice, verdict)
        filled = Widget.column().append(top, list.widget.tall()).tall()
        widget.append(Widget.header("History", menuOf: report), trouble.margins(24, 24), empty, filled)
        for part in [trouble, empty, filled] { part.shown(false) }
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .history(let history) = screen else { return false }
        switch history.state {
        case .loading: trouble.text("Reading the log …")
        case .failed(let failure): trouble.text(failure.message + (failure.hint.map { "\n" + $0 } ?? ""))
        case .empty, .listed: trouble.text("")
        }
        let wasListed = isListed
        isListed = history.state == .listed
        trouble.shown(history.state != .empty && !isListed)
        empty.shown(history.state == .empty)
        filled.shown(isListed)
        guard isListed else { return true }
        verdict.text(history.verdict)
        gtk_widget_remove_css_class(verdict.pointer, history.isIntact ? "error" : "success")
        gtk_widget_add_css_class(verdict.pointer, history.isIntact ? "success" : "error")
        draw(history.connections, chosen: history.connection)
        list.draw(history.rows)
        if !wasListed { search.focus() }
        return true
    }

    /// One button for each connection, and one for all. With one connection there is nothing to choose.
    private func draw(_ names: [String], chosen: String?) {
        guard names != connections || chosen != self.chosen else { return }
        (connections, self.chosen) = (names, chosen)
        choice.clear()
        guard names.count > 1 else { return }
        let flow = Widget(gtk_flow_box_new())
        gtk_flow_box_set_selection_mode(flow.to(), GTK_SELECTION_NONE)
        gtk_flow_box_set_max_children_per_line(flow.to(), 6)
        for (name, connection) in [("All banks", String?.none)] + names.map({ ($0, $0) }) {
            let button = Widget.button(name, "pill") { [report] in report(.history(.choose(connection: connection))) }
            if connection == chosen { gtk_widget_add_css_class(button.pointer, "suggested-action") }
            gtk_flow_box_insert(flow.to(), button.pointer, -1)
        }
        choice.append(flow)
    }
}

/// Many rows, of which only those in sight have widgets.
@MainActor
private final class EntryList {
    let widget: Widget
    private let list: Widget
    private var rows = Screen.History.Rows.none
    private let source = Source()

    /// The rows, for C, which asks for each by its place.
    final class Source {
        var rows: [Screen.History.Row] = []
        var chosen: (@MainActor (Int) -> Void)?
    }

    init(chosen: @escaping @MainActor (Int) -> Void) {
        source.chosen = chosen
        list = Widget(
            countersign_long_list(
                { context, place, row in
                    // The pointer is the retained source, until the list ends; GTK asks on the main thread.
                    guard let context else { return }
                    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                    guard source.rows.indices.contains(Int(place)) else { return }
                    let entry = source.rows[Int(place)]
                    let (symbol, style) = entry.sign.symbol
                    countersign_long_list_fill(row, symbol, style, entry.title, entry.detail, entry.hash)
                },
                { context, place in
                    guard let context else { return }
                    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                    let chosen = source.chosen
                    MainActor.assumeIsolated { chosen?(Int(place)) }
                },
                Unmanaged.passRetained(source).toOpaque(),
                { context in if let context { Unmanaged<Source>.fromOpaque(context).release() } }))
        widget = Widget(countersign_scroller(list.pointer))
        gtk_widget_set_focusable(widget.pointer, 0)
    }

    func draw(_ wanted: Screen.History.Rows) {
        guard wanted != rows else { return }
        rows = wanted
        source.rows = wanted.all
        countersign_long_list_renew(list.pointer, Int32(clamping: wanted.all.count))
    }
}

extension Screen.ResultPage.Sign {
    /// The symbol and its colour.
    var symbol: (String, String) {
        switch self {
        case .good: ("object-select-symbolic", "success")
        case .neutral: ("action-unavailable-symbolic", "accent")
        case .warning: ("dialog-warning-symbolic", "warning")
        case .bad: ("dialog-error-symbolic", "error")
        case .code: ("dialog-password-symbolic", "accent")
        case .waiting: ("content-loading-symbolic", "accent")
        }
    }
}

/// One entry of the log, whole: as it was shown, then its end.
@MainActor
final class HistoryEntryPage: Page {
    let widget = Widget.column()
    private let shown: Screen.HistoryEntry
    private let details: DetailsView?
    private let scroller: Widget

    init(_ entry: Screen.HistoryEntry, _ report: @escaping Report) {
        shown = entry
        details = entry.details.map { _ in DetailsView { report(.history(.showSource)) } }
        let (header, _) = Widget.header("History") { report(.back) }
        let (symbol, style) = entry.sign.symbol
        let sheet = Widget.column(14, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP).named("Written by the bank")
        sheet.append(Widget.label(entry.title, "title-3"))
        if !entry.text.isEmpty {
            for piece in TextPieces.of(entry.text) { sheet.append(Widget.label(piece)) }
        }
        let facts = Widget.column(10)
        for fact in entry.facts { facts.append(Widget.fact(fact.label, fact.value)) }
        let body = Widget.column(16).margins(18, 18).append(
            Widget.symbol(symbol, size: 64, style), Widget.label(entry.headline, "title-1").centredText(),
            Widget.label(entry.time, "dim-label").centredText(), Widget.label(entry.place, "heading"), sheet, facts)
        if let details { body.append(details.widget) }
        scroller = Widget(countersign_scroller(body.pointer))
        widget.append(header, scroller)
    }

    func appear() { scroller.focus() }

    func draw(_ screen: Screen) -> Bool {
        guard case .historyEntry(let entry) = screen, entry.hash == shown.hash else { return false }
        if let newer = entry.details { details?.draw(newer) }
        return true
    }
}
