import Approvals
import Basics
import FoundationEssentials

/// A window that may show content: its tabs, of which one is on the screen. Each keeps its own state.
struct OpenModel: Sendable {
    private var tab = Tab.requests
    private var requests: RequestsModel
    private var banks = BanksModel()
    /// Before the tabs, if they are shown.
    private var settings: SettingsModel?

    init(at now: Date) { requests = RequestsModel(at: now) }

    /// Begins where the first bank is connected.
    mutating func begin() -> [WindowEffect] {
        tab = .banks
        return appear()
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
        switch (event, tab) {
        case (.settings(.open), _):
            let effects = leave(at: now, moment)
            settings = SettingsModel()
            return effects + [.use, .examine]
        case (.settings(.change(let old, let new)), _):
            old.wipe()
            new.wipe()
            return []
        case (.settings, _): return []
        case (.show(let wanted), _):
            settings = nil
            // A tab that is chosen shows its first page; so the page that was left is as after Back.
            let effects = leave(at: now, moment)
            tab = wanted
            return effects + appear() + [.use]
        case (.bank(let event), _): return banks.take(event)
        case (.confirm(let text), .banks): return banks.take(.confirm(text))
        case (.back, .banks), (.cancel, .banks): return banks.back()
        default: return requests.take(event, at: now, moment)
        }
    }

    /// Turns to this request; one whose decision is on its way stays on the screen.
    mutating func review(
        _ reference: String, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        let effects = take(.show(.requests), at: now, moment)
        return effects + requests.review(reference, at: now, moment)
    }

    mutating func hear(_ event: Event, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        requests.hear(event, at: now, moment) + banks.hear(event)
    }

    private mutating func leave(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch tab {
        case .requests: requests.take(.back, at: now, moment)
        case .banks: banks.reset()
        }
    }

    private func appear() -> [WindowEffect] {
        switch tab {
        case .requests: []
        case .banks: [.bank(.list)]
        }
    }

    mutating func take(_ findings: [Finding]) { settings?.take(findings) }

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        if let settings { return settings.screen }
        return switch tab {
        case .requests: requests.screen(at: now, moment)
        case .banks: banks.screen(at: now)
        }
    }
}
