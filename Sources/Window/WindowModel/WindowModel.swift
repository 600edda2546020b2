import Approvals
import Basics
package import FoundationEssentials

/// The window as a value: takes events, and returns the effects that are wanted. `screen` is to be drawn.
///
/// It holds no rule of a decision: those are in `Dialogue`. Whatever is shown goes with a lock.
package struct WindowModel: Sendable {
    private struct Unlocking: Sendable {
        var waiting: Int?
        var trouble: Screen.Trouble?
        var isBusy = false
    }

    private enum Phase: Sendable {
        case connecting
        case stopped(Failure)
        case locked(Unlocking)
        case open(OpenModel)
    }

    private var phase = Phase.connecting

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
            phase = isOpen ? .open(OpenModel(at: now)) : .locked(Unlocking(waiting: waiting))
            return []
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
        case .unlock(let pin):
            guard case .locked(var unlocking) = phase, !unlocking.isBusy else {
                pin.wipe()
                return []
            }
            (unlocking.isBusy, unlocking.trouble) = (true, nil)
            phase = .locked(unlocking)
            return [.unlock(pin)]
        case .unlockFailed(let failure):
            guard case .locked(var unlocking) = phase else { return [] }
            (unlocking.isBusy, unlocking.trouble) = (false, Screen.Trouble(failure))
            phase = .locked(unlocking)
            return []
        case .show, .bank, .confirm, .tick, .open, .back, .sawEnd, .decide, .answer, .pin, .cancel, .nextRequest, .past,
            .fetched,
            .decided:
            guard case .open(var open) = phase else {
                if case .pin(let pin) = event { pin.wipe() }
                return []
            }
            let effects = open.take(event, at: now, moment)
            phase = .open(open)
            return effects
        }
    }

    private mutating func heard(_ event: Event, at now: Date, _ moment: ContinuousClock.Instant) -> [WindowEffect] {
        switch (event.kind, phase) {
        case (.locked, .open): return shut()
        case (.locked, .connecting): phase = .locked(Unlocking())
        case (.unlocked, .locked), (.unlocked, .connecting): phase = .open(OpenModel(at: now))
        case (.waiting(let count), .locked(var unlocking)):
            unlocking.waiting = count
            phase = .locked(unlocking)
        case (_, .open(var open)):
            let effects = open.hear(event, at: now, moment)
            phase = .open(open)
            return effects
        default: break
        }
        return []
    }

    /// Whatever an open window does ends with a lock.
    private mutating func shut() -> [WindowEffect] {
        guard case .open = phase else { return [] }
        phase = .locked(Unlocking())
        return [.bank(.abandon)]
    }

    // MARK: The screen

    package func screen(at now: Date, _ moment: ContinuousClock.Instant) -> Screen {
        switch phase {
        case .connecting: .connecting
        case .stopped(let failure): .stopped(Screen.Trouble(failure))
        case .locked(let unlocking):
            .locked(
                Screen.Locked(
                    waiting: unlocking.waiting.flatMap(Self.words), trouble: unlocking.trouble,
                    isBusy: unlocking.isBusy))
        case .open(let open):
            open.screen(at: now, moment)
        }
    }

    private static func words(_ waiting: Int) -> String? {
        switch waiting {
        case 0: nil
        case 1: "1 request waits"
        default: "\(waiting) requests wait"
        }
    }
}
