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
    private let troubles = Widget.label("", "trouble")
    private var rows: [Row] = []
    private let report: Report

    init(_ report: @escaping Report) {
        self.report = report
        let header = Widget.header("Requests", menuOf: report)
        list = Widget(gtk_list_box_new())
        gtk_widget_add_css_class(list.pointer, "boxed-list")
        gtk_list_box_set_selection_mode(list.to(), GTK_SELECTION_NONE)
        empty.append(
            Widget.symbol("object-select-symbolic", size: 72, "accent"),
            Widget.label("Nothing waits", "title-1").centredText(),
            Widget.label("You may close this window: a notification tells you when your bank asks.").centredText())
        filled = Widget(countersign_scroller(Widget.column().margins(18, 18).append(list).pointer))
        gtk_widget_set_focusable(filled.pointer, 0)
        widget.append(header, troubles, empty, filled)
        list.onRow { [weak self] place in
            guard let self, rows.indices.contains(place) else { return }
            report(.open(rows[place].shown.number))
        }
    }

    func appear() { rows.first?.widget.focus() }

    func draw(_ screen: Screen) -> Bool {
        guard case .requests(let requests) = screen else { return false }
        troubles.text(requests.troubles.joined(separator: "\n"))
        troubles.shown(!requests.troubles.isEmpty)
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
        widget = Widget(gtk_list_box_row_new()).named(row.title).described(row.reference)
        gtk_list_box_row_set_child(widget.to(), Widget.row(12).margins(12, 14).append(texts, clock).pointer)
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
