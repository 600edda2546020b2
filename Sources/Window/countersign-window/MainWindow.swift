import Basics
import CWindow
import WindowModel

/// The one window. It holds the page of the present screen alone: GTK gives assistive technology hidden pages, too.
@MainActor
final class MainWindow {
    /// From this width on the tabs stand beside the page.
    private static let wide = 760

    private let frame = Widget.row()
    private let column = Widget.column()
    private let slot = Widget.column()
    private let window: Widget
    private var page: (any Page)?
    private var bar: (bar: TabBar, isBeside: Bool)?
    private var screen: Screen?
    private var tab: Tab?
    private var isWide = false
    private let report: Report

    init(_ report: @escaping Report, closed: @escaping @MainActor () -> Void) {
        self.report = report
        countersign_add_style(Self.style)
        frame.append(column.expanded())
        column.append(slot)
        let outer = Widget.column()
        window = Widget(countersign_application_window("Countersign", 420, 760, outer.pointer))
        // A widget must not be moved while sizes are given.
        let ruler = Widget.ruler { [weak self] width in after(.zero) { self?.become(isWide: width >= Self.wide) } }
        outer.append(ruler, frame.tall())
        slot.tall()
        window.on("notify::is-active") { [weak self] in self?.page?.turned() }
        // Its widgets are freed then, so nothing may draw on them any more. Typed secrets are wiped with the page.
        window.on("destroy") { [weak self] in
            self?.page = nil
            self?.screen = nil
            closed()
        }
    }

    func present() { gtk_window_present(window.to()) }

    /// Lets the person choose a picture's file.
    func choosePicture(_ chosen: @escaping @MainActor (String) -> Void) {
        countersign_choose_picture(window.pointer, TextAction.run, TextAction.retained(chosen), TextAction.release)
    }

    func showAbout() { countersign_about(window.pointer, ProductVersion.text) }

    func draw(_ screen: Screen, in tab: Tab?) {
        (self.screen, self.tab) = (screen, tab)
        drawBar(for: screen)
        if page?.draw(screen) == true { return }
        if let page {
            page.leave()
            slot.remove(page.widget)
        }
        let made = make(screen)
        slot.append(made.widget.tall())
        page = made
        _ = made.draw(screen)
        made.appear()
    }

    private func become(isWide: Bool) {
        guard isWide != self.isWide, let screen else { return }
        self.isWide = isWide
        drawBar(for: screen)
    }

    /// The tabs stand beside every page of an open window that is wide, and below the first pages of a narrow one.
    private func drawBar(for screen: Screen) {
        let tab = isWide || screen.isFirst ? self.tab : nil
        if let bar, tab == nil || bar.isBeside != isWide {
            (bar.isBeside ? frame : column).remove(bar.bar.widget)
            self.bar = nil
        }
        guard let tab else { return }
        if bar == nil {
            let made = TabBar(isWide ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, report)
            if isWide { gtk_box_prepend(frame.to(), made.widget.pointer) } else { column.append(made.widget) }
            bar = (made, isWide)
        }
        bar?.bar.choose(tab)
    }

    private func make(_ screen: Screen) -> any Page {
        switch screen {
        case .connecting, .stopped: StatusPage(report)
        case .welcome: WelcomePage(report)
        case .locked: LockedPage(report)
        case .requests: RequestsPage(report)
        case .card(let page): CardPage(page, report)
        case .ask(let page): AskPage(page, report)
        case .history: HistoryPage(report)
        case .historyEntry(let page): HistoryEntryPage(page, report)
        case .signIns: SignInsPage(report)
        case .session(let page): SessionPage(page, report)
        case .programs: ProgramsPage(report)
        case .result(let page): ResultPage(page, report)
        case .banks: BanksPage(report)
        case .bank(let bank): BankPage(bank, report)
        case .addBank(let step): AddBankPage(step, report)
        case .settings: SettingsPage(report)
        case .changePIN: ChangePINPage(report)
        case .asking(let asking):
            AskingPage(asking) { [report] in
                report(.confirm($0))
            } cancel: { [report] in
                report(.back)
            }
        }
    }

    private static let style = """
        .sheet { padding: 20px; }
        .question { padding: 18px; background-color: alpha(@accent_bg_color, 0.12); box-shadow: none; }
        .trouble { padding: 12px 18px; background-color: alpha(@warning_bg_color, 0.4); }
        .badge { padding: 3px 9px; border-radius: 12px; background-color: alpha(currentColor, 0.15); }
        .finding { padding: 12px 14px; }
        .notice { padding: 10px 14px; border-radius: 9px; background-color: alpha(@success_bg_color, 0.2); }
        .tabs-beside { border-right: 1px solid @borders; }
        .tab { padding: 6px; font-weight: normal; }
        .tab:checked { color: @accent_color; }
        .entry-row { padding: 10px 18px; }
        .bar { border-top: 1px solid @borders; }
        .waiting { padding: 3px 10px; border-radius: 12px; background-color: alpha(currentColor, 0.1); }
        scrolledwindow:focus-visible { outline: none; }
        """
}
