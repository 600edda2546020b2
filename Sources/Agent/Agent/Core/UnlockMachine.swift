/// How long an agent holds an unlock. It knows no clock; times are moments of a clock that nobody can set and that goes
/// on while the machine sleeps.
///
/// Each input returns its effect on the secrets. An input with a moment first expires an unlock that ended by then, so
/// a late input cannot prolong an unlock.
package struct UnlockMachine: Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// How long an unlock lasts. Settings can shorten it, but not lengthen it.
    package struct Limits: Sendable, Equatable {
        /// Without use; at most five minutes (RTS Art. 4(3)(d)).
        package let idle: Duration
        /// Since the last unlock, even with use; at most twelve hours.
        package let longest: Duration
        /// Whether polling goes on while nothing may be shown, which needs the keys in memory. If not, everything is
        /// wiped.
        package let pollsWhileLocked: Bool

        package init(
            idle: Duration = .seconds(300), longest: Duration = .seconds(12 * 3600), pollsWhileLocked: Bool = true
        ) {
            self.idle = min(idle, .seconds(300))
            self.longest = min(longest, .seconds(12 * 3600))
            self.pollsWhileLocked = pollsWhileLocked
        }
    }

    package enum State: Sendable, Equatable {
        /// Content may be shown, and requests denied; approving takes the PIN.
        case open
        /// Content is wiped; the secrets for polling stay in memory.
        case hidden
        /// Everything is wiped.
        case shut
    }

    /// An effect on the secrets that the owner must carry out now.
    package enum Effect: Sendable, Equatable {
        case none
        /// Wipe content, keep the secrets for polling.
        case hide
        /// Wipe everything, and stop polling.
        case shut
    }

    private enum Phase {
        case open(since: Moment, lastUse: Moment)
        case hidden(since: Moment)
        case shut
    }

    private let limits: Limits
    private var phase = Phase.shut
    /// Until when a person is busy elsewhere, at a page that leads back here; nil for nobody. Time without use begins only then.
    private var heldUntil: Moment?

    /// Begins shut.
    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The right PIN was entered to unlock: opens, and restarts both limits. Nothing else opens.
    package mutating func unlocked(at now: Moment) {
        phase = .open(since: now, lastUse: now)
    }

    /// The person used it: entered a PIN, made a decision, or pressed a key. Prolongs the unlock only while open.
    package mutating func use(at now: Moment) -> Effect {
        let effect = tick(at: now)
        if case .open(let since, let lastUse) = phase { phase = .open(since: since, lastUse: max(lastUse, now)) }
        return effect
    }

    /// A person is at a page that leads back here, until this moment at most; nil when that is over. This prolongs an unlock, but neither
    /// beyond its longest time nor while the screen is locked.
    package mutating func hold(until moment: Moment?) { heldUntil = moment }

    /// Time passed.
    package mutating func tick(at now: Moment) -> Effect {
        switch (phase, state(at: now)) {
        case (.open, .hidden): return hide()
        case (.open, .shut), (.hidden, .shut): return shut()
        default: return .none
        }
    }

    /// The screen is locked.
    package mutating func screenLocked(at now: Moment) -> Effect {
        let effect = tick(at: now)
        guard case .open = phase else { return effect }
        return hide()
    }

    /// Somebody asked for it, the machine goes to sleep, the user logs out, or the keys are gone.
    package mutating func shut() -> Effect {
        if case .shut = phase { return .none }
        phase = .shut
        return .shut
    }

    /// The state at this moment, even if the tick that leads to it has not come yet.
    package func state(at now: Moment) -> State {
        switch phase {
        case .open(let since, _) where since + limits.longest <= now: .shut
        case .open(_, let lastUse) where idleEnd(lastUse) <= now: limits.pollsWhileLocked ? .hidden : .shut
        case .open: .open
        case .hidden(let since): since + limits.longest <= now ? .shut : .hidden
        case .shut: .shut
        }
    }

    /// When the next tick is needed; nil if none is.
    package var end: Moment? {
        switch phase {
        case .open(let since, let lastUse): min(since + limits.longest, idleEnd(lastUse))
        case .hidden(let since): since + limits.longest
        case .shut: nil
        }
    }

    private func idleEnd(_ lastUse: Moment) -> Moment { max(lastUse, heldUntil ?? lastUse) + limits.idle }

    private mutating func hide() -> Effect {
        guard limits.pollsWhileLocked, case .open(let since, _) = phase else { return shut() }
        phase = .hidden(since: since)
        return .hide
    }
}
