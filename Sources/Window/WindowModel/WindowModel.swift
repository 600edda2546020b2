import ApprovalModel
import Approvals
import Basics
package import FoundationEssentials

/// The window as a value: takes events, and returns the effects that are wanted. `screen` is to be drawn.
///
/// It holds no rule of a decision: those are in `Dialogue`. Whatever is shown goes with a lock.
package struct WindowModel: Sendable {
    private enum Phase: Sendable {
        case connecting
        case stopped(Failure)
        /// No content may be shown.
        case outside(OutsideModel)
        case open(OpenModel)
    }

    private var phase = Phase.connecting
    /// Whether the PIN was chosen just now, so no bank is connected.
    private var isNew = false
    /// The request to open once content may be shown.
    private var wanted: String?

    package init() {}

    // MARK: Events

    /// - Parameters:
    ///   - now: the time by which requests expire.
    ///   - moment: the time by which a card can have been read.
    package mutating func take(
        _ event: WindowEvent, at now: Date, _ moment: ContinuousClock.Instant
    ) -> [WindowEffect] {
        switch event {
        case .connect:
            phase = .connecting
            return [.connect]
        case .connected(let isOpen, let waiting):
            if isOpen { return open(at: now, moment) }
            return go(to: .locked(waiting: waiting))
        case .noPIN: return go(to: .welcome)
        case .disconnected(let failure):
            let effects = shut()
            phase = .stopped(failure)
            return effects
        case .heard(let event): return heard(event, at: now, moment)
        case .lock:
            // The content goes at once, whatever the agent's answer.
            let effects = shut()
            return effects + [.lock]
        case .about: return [.showAbout]
        case .review(let reference):
            // Any program may ask for one.
            guard reference.isEmpty || Reference(reference) != nil else { return [] }
            guard case .open(var open) = phase else {
                wanted = reference
                return []
            }
            let effects = open.review(reference, at: now, moment)
            return effects + stay(open)
        case .unlock(let pin): return outside(.unlock(pin), at: now)
        case .choosePIN(let pin):
            isNew = true
            return outside(.choose(pin), at: now)
        case .unlockFailed(let failure): return outside(.failed(failure), at: now)
        case .findings(let findings):
            guard case .open(var open) = phase else { return outside(.findings(findings), at: now) }
            open.take(findings)
            phase = .open(open)
            return []
        case .status(let status): return outside(.status(status), at: now)
        case .forgotten: return outside(.forgotten, at: now)
        case .show, .tick, .open, .back, .sawEnd, .decide, .answer, .pin, .cancel, .nextRequest, .past, .fetched,
            .decided, .sourced, .askedBanks, .revoked, .disown, .denyAll, .askBanks, .showSource, .history,
            .signIns, .programs, .bank, .settings, .confirm:
            guard case .open(var open) = phase else {
                switch event {
                case .pin(let pin): pin.wipe()
                case .settings(.change(let old, let new)):
                    old.wipe()
                    new.wipe()
                case .settings(.ended(let failure?)): return outside(.failed(failure), at: now)
                case .back: return outside(.back, at: now)
                case .confirm(let text): return outside(.confirm(text), at: now)
                case .tick:
                    guard case .outside(var outside) = phase else { return [] }
                    let effects = outside.tick(at: now)
                    phase = .outside(outside)
                    return effects
                default: break
                }
                return []
            }
            let effects = open.take(event, at: now, moment)
            return effects + stay(open)
        }
    }

    private mutating func heard(_ event: Event, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch (event.kind, phase) {
        case (.locked, .open): return shut()
        case (.locked, .connecting): return go(to: .locked())
        case (.unlocked, .outside), (.unlocked, .connecting): return open(at: now, moment)
        case (.waiting(let count), .outside): return outside(.waiting(count), at: now)
        case (_, .open(var open)):
            let effects = open.hear(event, at: now, moment)
            return effects + stay(open)
        default: break
        }
        return []
    }

    /// Whatever an open window does ends with a lock.
    private mutating func shut() -> [WindowEffect] {
        guard case .open(let open) = phase else { return [] }
        return [.bank(.abandon), .signIns(.endSignIn)] + go(to: .locked(note: open.parting))
    }

    /// Keeps an open window, unless it locks with a word to the person.
    private mutating func stay(_ open: OpenModel) -> [WindowEffect] {
        guard let note = open.farewell else {
            phase = .open(open)
            return []
        }
        return [.bank(.abandon), .signIns(.endSignIn)] + go(to: .locked(note: note))
    }

    private mutating func go(to page: OutsideModel) -> [WindowEffect] {
        phase = .outside(page)
        return page.wishes
    }

    private mutating func open(at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        var open = OpenModel(at: now)
        let effects = wanted.map { open.review($0, at: now, moment) } ?? (isNew ? open.begin() : [])
        (phase, isNew, wanted) = (.open(open), false, nil)
        return effects
    }

    private mutating func outside(_ event: OutsideEvent, at now: Date) -> [WindowEffect] {
        guard case .outside(var outside) = phase else {
            switch event {
            case .unlock(let pin), .choose(let pin): pin.wipe()
            default: break
            }
            return []
        }
        let effects = outside.take(event, at: now)
        phase = .outside(outside)
        return effects
    }

    // MARK: The screen

    package func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch phase {
        case .connecting: .connecting
        case .stopped(let failure): .stopped(Screen.Trouble(failure))
        case .outside(let outside): outside.screen(at: now)
        case .open(let open):
            open.screen(at: now, moment)
        }
    }

    /// The tab on the screen. Nil where no content may be shown.
    package var tab: Tab? { if case .open(let open) = phase { open.shownTab } else { nil } }
}
