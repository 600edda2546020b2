import Approvals
import Basics
import FoundationEssentials

/// A window that may show content: its tabs, of which one is on the screen. Each keeps its own state.
struct OpenModel: Sendable {
    private var tab = Tab.requests
    private var requests: RequestsModel

    init(at now: Date) { requests = RequestsModel(at: now) }

    mutating func take(_ event: WindowEvent, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        guard case .show(let wanted) = event else { return requests.take(event, at: now, moment) }
        // A tab that is chosen shows its first page; so the page that was left is as after Back.
        let effects = leave(at: now, moment)
        tab = wanted
        return effects + [.use]
    }

    mutating func hear(_ event: Event, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        requests.hear(event, at: now, moment)
    }

    private mutating func leave(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch tab {
        case .requests: requests.take(.back, at: now, moment)
        }
    }

    func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch tab {
        case .requests: requests.screen(at: now, moment)
        }
    }
}
