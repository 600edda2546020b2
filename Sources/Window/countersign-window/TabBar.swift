import CWindow
import WindowModel

/// The buttons of the tabs: a bar below the page, or a list beside it.
@MainActor
final class TabBar {
    let widget: Widget
    private let tabs: [(tab: Tab, button: Widget)]

    init(_ direction: GtkOrientation, _ report: @escaping Report) {
        let isList = direction == GTK_ORIENTATION_VERTICAL
        let box = Widget(countersign_box(GTK_ACCESSIBLE_ROLE_TAB_LIST, direction, isList ? 4 : 6))
        tabs = Tab.allCases.map { tab in
            let across = isList ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL
            let button = Widget(countersign_tab(tab.symbol.pointer, tab.name, across)).styled("flat", "tab")
            // A second press must not take the mark off, so each press says anew which tab is shown.
            button.on("clicked") {
                countersign_tab_choose(button.pointer, 1)
                report(.show(tab))
            }
            box.append(isList ? button : button.expanded())
            return (tab, button)
        }
        if isList {
            let header = Widget.header("Countersign")
            // The page beside it has the window's buttons.
            adw_header_bar_set_show_end_title_buttons(header.to(), 0)
            widget = Widget.column(0, "tabs-beside").append(header, box.margins(8, 8))
            gtk_widget_set_size_request(widget.pointer, 190, -1)
        } else {
            gtk_box_set_homogeneous(box.to(), 1)
            widget = Widget.column(0, "bar").append(box.margins(4, 6))
        }
    }

    func choose(_ chosen: Tab) {
        for (tab, button) in tabs { countersign_tab_choose(button.pointer, tab == chosen ? 1 : 0) }
    }
}

extension Tab {
    @MainActor
    fileprivate var symbol: Widget {
        switch self {
        case .requests: .symbol("mail-unread-symbolic", size: 16)
        case .banks: Widget(countersign_bank(16))
        case .history: .symbol("document-open-recent-symbolic", size: 16)
        case .signIns: .symbol("avatar-default-symbolic", size: 16)
        case .programs: .symbol("utilities-terminal-symbolic", size: 16)
        }
    }
}
