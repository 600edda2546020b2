import CWindow

// Widgets that several pages have.

extension Widget {
    /// A value below its label; a sentence without one.
    static func fact(_ label: String?, _ value: String) -> Widget {
        guard let label else { return Widget.label(value) }
        return Widget.column(2).append(Widget.label(label, "caption", "dim-label"), Widget.label(value))
    }

    /// Two buttons side by side, of one width.
    static func pair(_ first: Widget, _ second: Widget) -> Widget {
        let row = Widget.row(12).append(first.expanded(), second.expanded())
        gtk_box_set_homogeneous(row.to(), 1)
        return row
    }

    /// A list in a frame, whose rows can be chosen but not selected.
    static func list() -> Widget {
        let list = Widget(gtk_list_box_new())
        gtk_widget_add_css_class(list.pointer, "boxed-list")
        gtk_list_box_set_selection_mode(list.to(), GTK_SELECTION_NONE)
        return list
    }

    /// A row of a list, with this content.
    static func listRow(_ name: String, _ description: String, _ content: Widget) -> Widget {
        let row = Widget(gtk_list_box_row_new()).named(name).described(description)
        gtk_list_box_row_set_child(row.to(), content.pointer)
        return row
    }
}
