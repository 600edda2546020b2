import Approvals
import Basics
import FoundationEssentials

/// A window that may show content: its tabs, of which one is on the screen. Each keeps its own state.
struct OpenModel: Sendable {
    private var tab = Tab.requests
    private var requests: RequestsModel
    private var banks = BanksModel()
    private var history = HistoryModel()
    private var signIns = SignInsModel()
    private var programs = ProgramsModel()
    /// Before the tabs, if they are shown.
    private var settings: SettingsModel?

    init(at now: Date) { requests = RequestsModel(at: now) }

    /// The words with which the window locks after a request of somebody else.
    var farewell: String? { requests.farewell }
    /// The words that remain after a lock. They name no request.
    var parting: String? {
        requests.isSending
            ? "A decision was on its way to the bank. After you unlock, the history shows its outcome." : nil
    }

    /// The tab on the screen; nil before the settings.
    var shownTab: Tab? { settings == nil ? tab : nil }

    /// Begins where the first bank is connected.
    mutating func begin() -> [WindowEffect] {
        tab = .banks
        return [.bank(.list)]
    }

    mutating func take(_ event: WindowEvent, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        if var settings {
            switch event {
            case .settings(let event):
                let effects = settings.take(event)
                self.settings = settings
                return effects
            case .confirm(let text):
                let effects = settings.confirm(text)
                self.settings = settings
                return effects + [.use]
            case .back, .cancel:
                self.settings = settings.back() ? settings : nil
                return [.use]
            default: break
            }
        }
        switch event {
        case .settings(.open):
            let effects = leave(at: now, moment)
            settings = SettingsModel()
            return effects + [.use, .examine]
        case .settings(.change(let old, let new)):
            old.wipe()
            new.wipe()
            return []
        case .settings: return []
        case .show(let wanted):
            settings = nil
            // A tab that is chosen shows its first page; so the page that was left is as after Back.
            let effects = leave(at: now, moment)
            tab = wanted
            return effects + [.use] + renew(at: moment)
        case .bank(let event): return banks.take(event)
        case .history(let event): return history.take(event)
        case .signIns(let event): return signIns.take(event)
        case .programs(let event): return programs.take(event)
        case .tick:
            return requests.take(event, at: now, moment) + (tab == .programs ? programs.tick(at: moment) : [])
        case .open, .nextRequest:
            (tab, settings) = (.requests, nil)
            return requests.take(event, at: now, moment)
        default: break
        }
        switch (tab, event) {
        case (.banks, .confirm(let text)): return banks.take(.confirm(text))
        case (.banks, .back), (.banks, .cancel): return banks.back()
        case (.history, .back): history.back()
        case (.signIns, .back): return signIns.back()
        case (.signIns, .answer(let answer)): return signIns.answer(answer)
        case (.signIns, .pin(let pin)): return signIns.prove(pin)
        case (.programs, .back): programs.back()
        case (.programs, .answer(let answer)): return programs.answer(answer)
        case (.programs, .pin(let pin)): return programs.prove(pin)
        default: return requests.take(event, at: now, moment)
        }
        return []
    }

    /// Turns to this request; one whose decision is on its way stays on the screen.
    mutating func review(
        _ reference: String, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        let effects = take(.show(.requests), at: now, moment)
        return effects + requests.review(reference, at: now, moment)
    }

    mutating func hear(_ event: Event, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        let effects = requests.hear(event, at: now, moment) + banks.hear(event)
        guard tab == .history, case .decided = event.kind else { return effects }
        return effects + history.renew()
    }

    /// Asks for the content of the tab that is shown now.
    private mutating func renew(at moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch tab {
        case .requests: []
        case .banks: [.bank(.list)]
        case .history: history.renew()
        case .signIns: signIns.renew()
        case .programs: programs.renew(at: moment)
        }
    }

    private mutating func leave(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch tab {
        case .requests: return requests.leave(at: now, moment)
        case .banks: return banks.reset()
        case .history: history.back()
        case .signIns: signIns.leave()
        case .programs: programs.back()
        }
        return []
    }

    mutating func take(_ findings: [Finding]) { settings?.take(findings) }

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        if let settings { return settings.screen }
        return switch tab {
        case .requests: requests.screen(at: now, moment)
        case .banks: banks.screen(at: now)
        case .history: history.screen()
        case .signIns: signIns.screen()
        case .programs: programs.screen()
        }
    }
}
