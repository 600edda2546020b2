import CWindow
import WindowModel

/// The waiting requests. Rows are changed in place: a list made anew would lose the focus.
@MainActor
final class RequestsPage: Page {
    fileprivate struct Row {
        let widget: Widget
        let shown: Screen.Requests.Row
        let time: Widget
        let ring: Widget
    }

    let widget = Widget.column()
    private let list: Widget
    private let empty = Widget.column(16).centred().margins(24, 24)
    private let filled: Widget
    private let banner = Widget.row(12, "trouble")
    private let troubles = Widget.label("").expanded()
    private let again: Widget
    private let crowds = Widget.column(8)
    private var shownCrowds: [Screen.Requests.Crowd] = []
    private var rows: [Row] = []
    private let report: Report

    init(_ report: @escaping Report) {
        self.report = report
        let header = Widget.header("Requests", menuOf: report)
        list = Widget.list()
        again = Widget.button("Try now", "flat") { report(.askBanks) }
        gtk_widget_set_valign(again.pointer, GTK_ALIGN_CENTER)
        banner.append(troubles, again)
        empty.append(
            Widget.symbol("object-select-symbolic", size: 72, "accent"),
            Widget.label("Nothing waits", "title-1").centredText(),
            Widget.label("You may close this window: a notification tells you when your bank asks.").centredText())
        filled = Widget(countersign_scroller(Widget.column(18).margins(18, 18).append(list, crowds).pointer))
        gtk_widget_set_focusable(filled.pointer, 0)
        widget.append(header, banner, empty, filled)
        list.onRow { [weak self] place in
            guard let self, rows.indices.contains(place) else { return }
            report(.open(rows[place].shown.number))
        }
    }

    func appear() { rows.first?.widget.focus() }

    func draw(_ screen: Screen) -> Bool {
        guard case .requests(let requests) = screen else { return false }
        troubles.text(requests.troubles.joined(separator: "\n"))
        banner.shown(!requests.troubles.isEmpty)
        again.enabled(!requests.isAsking)
        draw(requests.crowds)
        empty.shown(requests.rows.isEmpty)
        filled.shown(!requests.rows.isEmpty)
        let wanted = requests.rows
        // Drop the rows that are gone or say something else.
        for index in rows.indices.reversed() where !wanted.contains(where: { rows[index].says($0) }) {
            gtk_list_box_remove(list.to(), rows[index].widget.pointer)
            rows.remove(at: index)
        }
        for (place, row) in wanted.enumerated() {
            if rows.indices.contains(place), rows[place].says(row) {
                rows[place].tick(row.time)
                continue
            }
            // A row that stands further down is put here.
            if let old = rows.firstIndex(where: { $0.says(row) }) {
                gtk_list_box_remove(list.to(), rows[old].widget.pointer)
                rows.remove(at: old)
            }
            let made = Row(row)
            gtk_list_box_insert(list.to(), made.widget.pointer, Int32(place))
            rows.insert(made, at: place)
        }
        return true
    }

    private func draw(_ wanted: [Screen.Requests.Crowd]) {
        guard wanted != shownCrowds else { return }
        shownCrowds = wanted
        crowds.clear()
        for crowd in wanted {
            let button = Widget.button("", "flat") { [report] in report(.denyAll(crowd.connection)) }
            gtk_button_set_child(button.to(), Widget.label(crowd.words, "heading").centredText().pointer)
            crowds.append(button.named(crowd.words))
        }
    }
}

extension RequestsPage.Row {
    @MainActor
    fileprivate init(_ row: Screen.Requests.Row) {
        shown = row
        time = Widget.label(row.time?.text ?? "", "caption", "numeric")
        ring = Widget(countersign_ring())
        let texts = Widget.column(2).expanded()
        if let amount = row.amount { texts.append(Widget.label(amount, "title-3")) }
        if let payee = row.payee, row.amount != nil { texts.append(Widget.label("to " + payee, "heading")) }
        texts.append(
            Widget.label(row.title, row.amount == nil ? "heading" : "body"),
            Widget.label(row.place, "caption", "dim-label"))
        let clock = Widget.column(4).centred().append(ring.narrow(), time.narrow())
        widget = Widget.listRow(
            row.title, row.reference,
            Widget.row(12).margins(12, 14).append(Widget.monogram(row.bank), texts, clock))
        tick(row.time)
    }

    /// Whether it shows this, apart from the time.
    fileprivate func says(_ row: Screen.Requests.Row) -> Bool {
        (shown.number, shown.reference, shown.amount, shown.payee) == (row.number, row.reference, row.amount, row.payee)
            && (shown.title, shown.place) == (row.title, row.place)
    }

    @MainActor
    fileprivate func tick(_ left: Screen.Remaining?) {
        time.text(left?.text ?? "")
        countersign_ring_set(ring.pointer, left?.share ?? 0)
        ring.shown(left != nil)
    }
}
