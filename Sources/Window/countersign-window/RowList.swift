import CWindow
import WindowModel

/// A list of rows that lead to pages. Rows that say the same stay as they are, so the focus stays, too.
@MainActor
final class RowList {
    struct Row: Equatable {
        /// Its name for assistive technology, too.
        let title: String
        /// Below the title.
        let lines: [String]
        let status: Screen.Status?
        /// The reference or name by which programs know it.
        let id: String
    }

    let widget = Widget(gtk_list_box_new())
    private(set) var rows: [Row] = []
    private var made: [Widget] = []

    /// `choose` gets the id of the chosen row.
    init(choose: @escaping @MainActor (String) -> Void) {
        gtk_widget_add_css_class(widget.pointer, "boxed-list")
        gtk_list_box_set_selection_mode(widget.to(), GTK_SELECTION_NONE)
        widget.onRow { [weak self] place in
            guard let self, rows.indices.contains(place) else { return }
            choose(rows[place].id)
        }
    }

    func draw(_ wanted: [Row]) {
        guard wanted != rows else { return }
        // Rows before the first and after the last difference stay.
        let same = zip(rows, wanted).prefix { $0 == $1 }.count
        let sameAtEnd = min(
            zip(rows.reversed(), wanted.reversed()).prefix { $0 == $1 }.count, min(rows.count, wanted.count) - same)
        for row in made[same..<rows.count - sameAtEnd] { gtk_list_box_remove(widget.to(), row.pointer) }
        made.removeSubrange(same..<rows.count - sameAtEnd)
        for (index, row) in wanted[same..<wanted.count - sameAtEnd].enumerated() {
            let widget = Self.widget(row)
            gtk_list_box_insert(self.widget.to(), widget.pointer, Int32(same + index))
            made.insert(widget, at: same + index)
        }
        rows = wanted
    }

    func focus() { made.first?.focus() }

    private static func widget(_ row: Row) -> Widget {
        let texts = Widget.column(2).expanded().append(Widget.label(row.title, "heading"))
        for line in row.lines { texts.append(Widget.label(line, "caption", "dim-label")) }
        let content = Widget.row(12).margins(12, 14).append(Widget.monogram(row.title, size: 36), texts)
        if let status = row.status { content.append(Widget.badge(status)) }
        content.append(Widget.symbol("go-next-symbolic", size: 16, "dim-label"))
        let widget = Widget(gtk_list_box_row_new()).named(row.title).described(row.id)
        gtk_list_box_row_set_child(widget.to(), content.pointer)
        return widget
    }
}
