import CWindow
import WindowModel

/// The one window. It holds the page of the present screen alone: GTK gives assistive technology hidden pages, too.
@MainActor
final class MainWindow {
    private let slot = Widget.column()
    private let window: Widget
    private var page: (any Page)?
    private let report: Report

    init(_ report: @escaping Report, closed: @escaping @MainActor () -> Void) {
        self.report = report
        countersign_add_style(Self.style)
        window = Widget(countersign_application_window("Countersign", 420, 760, slot.pointer))
        window.on("notify::is-active") { [weak self] in self?.page?.turned() }
        // Its widgets are freed then, so nothing may draw on them any more. What was typed is wiped with the page.
        window.on("destroy") { [weak self] in
            self?.page = nil
            closed()
        }
    }

    func present() { gtk_window_present(window.to()) }

    func draw(_ screen: Screen) {
        if page?.draw(screen) == true { return }
        if let page {
            page.leave()
            slot.remove(page.widget)
        }
        let made = make(screen)
        gtk_widget_set_vexpand(made.widget.pointer, 1)
        slot.append(made.widget)
        page = made
        _ = made.draw(screen)
        made.appear()
    }

    private func make(_ screen: Screen) -> any Page {
        switch screen {
        case .connecting, .stopped: StatusPage(report)
        case .locked: LockedPage(report)
        case .requests: RequestsPage(report)
        case .card(let page): CardPage(page, report)
        case .result(let page): ResultPage(page, report)
        }
    }

    private static let style = """
        .sheet { padding: 20px; }
        .question { padding: 18px; background-color: alpha(@accent_bg_color, 0.12); box-shadow: none; }
        .trouble { padding: 12px 18px; background-color: alpha(@warning_bg_color, 0.4); }
        .bar { border-top: 1px solid @borders; }
        .waiting { padding: 3px 10px; border-radius: 12px; background-color: alpha(currentColor, 0.1); }
        scrolledwindow:focus-visible { outline: none; }
        """
}
