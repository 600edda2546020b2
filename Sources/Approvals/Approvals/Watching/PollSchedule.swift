package import ApprovalModel

/// When to ask the bank of which connection. It calls nobody; times are moments of a clock that nobody can set and that
/// goes on while the machine sleeps.
///
/// While someone watches or something is pending, each connection is due every 3 s, give or take a tenth. Otherwise it
/// is due 3 s after an event, and less often with each quiet poll, down to every 30 s. A bank that fails is asked less
/// and less often, but at least every 2 minutes (every 10 s while someone watches), and never before its `Retry-After`
/// (up to an hour).
///
/// Due connections are handed out in beats, four times a second, so that one wake-up serves all that became due since
/// the last. One beat hands out at most a third of all connections, so that the banks are never all asked at once.
package struct PollSchedule: Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// How often a connection is asked while its bank answers.
    package struct Pace: Sendable, Equatable {
        /// From one answer to the next call while someone watches, and after an event.
        package let fastest: Duration
        /// The longest that a quiet connection waits; never less than `fastest`.
        package let slowest: Duration

        package init(fastest: Duration = .seconds(3), slowest: Duration = .seconds(30)) {
            self.fastest = fastest
            self.slowest = max(fastest, slowest)
        }
    }

    /// Why connections are asked often.
    package enum Attention: Sendable, Equatable {
        /// There is no reason to.
        case none
        /// Something is pending.
        case pending
        /// Someone watches, and wants to know soon when a bank answers again.
        case watched
    }

    static let longestBackOff = Duration.seconds(120)
    /// The longest back-off while someone watches: with jitter, less than 10 s.
    static let longestWatchedBackOff = Duration.seconds(9)
    static let longestRetryAfter = Duration.seconds(3600)
    /// The time between two beats.
    static let beat = Duration.milliseconds(250)
    /// How many beats it takes to hand out all connections if all are due.
    static let beats = 3
    /// The factor by which a connection waits longer after each quiet poll.
    static let slowing = 1.5

    private struct Entry {
        let guid: ConnectionGUID
        var due: Moment
        /// When its bank last answered or failed; nil before that, and after a wake-up.
        var heard: Moment?
        /// The wait while the bank answers.
        var interval: Duration
        /// From 0.9 to 1.1, for the present wait.
        var jitter = 1.0
        var failures = 0
        /// The earliest moment that the bank allows.
        var notBefore: Moment?
        var isAsked = false
        /// A wake-up came during the call: a failure then says nothing about the bank.
        var isOutdated = false

        mutating func hasten(to fastest: Duration, atMost longest: Duration) {
            interval = fastest
            if let heard { due = min(due, planned(after: heard, fastest: fastest, atMost: longest)) }
        }

        mutating func wakeUp(to fastest: Duration, at now: Moment) {
            interval = fastest
            failures = 0
            heard = nil
            due = allowed(now)
            isOutdated = isAsked
        }

        func planned(after heard: Moment, fastest: Duration, atMost longest: Duration) -> Moment {
            // Rounded to the nearest beat, so that on average the wait is not longer.
            guard failures > 0 else { return allowed(heard + interval * jitter - PollSchedule.beat / 2) }
            let backOff = min(fastest * (1 << min(failures, 16)), longest)
            return allowed(heard + max(interval, backOff) * jitter)
        }

        /// `moment`, or later if the bank wants that.
        func allowed(_ moment: Moment) -> Moment { notBefore.map { max($0, moment) } ?? moment }
    }

    private let pace: Pace
    /// In the order in which they came. Searched from end to end, which is fast enough for hundreds.
    private var entries: [Entry] = []
    /// The moment of the next beat. It hands out the connections that became due since the last beat, or found no room in it.
    private var nextBeat: Moment
    /// How many more connections the present beat may hand out.
    private var room = 0
    private var attention = Attention.none
    private var longestBackOff: Duration {
        attention == .watched ? Self.longestWatchedBackOff : Self.longestBackOff
    }

    package init(at now: Moment, pace: Pace = Pace()) {
        nextBeat = now
        self.pace = pace
    }

    /// Takes the present active connections: new ones are due at once, removed ones are no longer asked.
    package mutating func follow(_ active: [ConnectionGUID], at now: Moment) {
        let kept = Set(active)
        entries.removeAll { !kept.contains($0.guid) }
        let known = Set(entries.map(\.guid))
        for guid in active where !known.contains(guid) {
            entries.append(Entry(guid: guid, due: now, interval: pace.fastest))
        }
    }

    /// While someone watches or something is pending, all are asked at the fastest pace, beginning with the present
    /// wait. The back-off of a bank that fails stays, but is limited to 10 s while someone watches.
    package mutating func setAttention(_ attention: Attention) {
        guard self.attention != attention else { return }
        self.attention = attention
        guard attention != .none else { return }
        for index in entries.indices { entries[index].hasten(to: pace.fastest, atMost: longestBackOff) }
    }

    /// The machine woke up, or the network is back: all are due now, and failures are forgotten. `Retry-After` and the
    /// room of a beat still hold.
    package mutating func wakeUp(at now: Moment) {
        for index in entries.indices { entries[index].wakeUp(to: pace.fastest, at: now) }
    }

    /// The next connection to ask at this moment, the longest due first; nil if none is due, or if the beat has no room
    /// left.
    package mutating func take(at now: Moment) -> ConnectionGUID? {
        guard let index = earliest, entries[index].due <= now else { return nil }
        if nextBeat <= now {
            nextBeat = now + Self.beat
            room = (entries.count + Self.beats - 1) / Self.beats
        }
        guard room > 0 else { return nil }
        room -= 1
        entries[index].isAsked = true
        return entries[index].guid
    }

    /// Takes the result of a call; `error` is nil for an answer. `isEvent` says that the answer changed something;
    /// `jitter` is a random number from 0 to 1.
    package mutating func heard(
        _ error: (any Error)?, from connection: ConnectionGUID, isEvent: Bool = false, at now: Moment, jitter: Double
    ) {
        // Few are being asked, and checking that is faster than comparing names.
        let found = entries.firstIndex { $0.isAsked && $0.guid == connection }
        guard let index = found ?? entries.firstIndex(where: { $0.guid == connection }) else { return }
        let bank = error as? BankError
        if bank?.kind == .connectionGone {
            entries.remove(at: index)
            return
        }
        var entry = entries[index]
        if error == nil {
            entry.failures = 0
            entry.interval =
                isEvent || attention != .none ? pace.fastest : min(entry.interval * Self.slowing, pace.slowest)
        } else if !entry.isOutdated {
            entry.failures += 1
        }
        if let seconds = bank?.retryAfter {
            let wait = min(.seconds(seconds), Self.longestRetryAfter)
            // Jitter only adds time: the bank named the earliest moment.
            entry.notBefore = now + wait * (1 + 0.1 * jitter)
        }
        if let seconds = bank?.pause { entry.notBefore = now + .seconds(seconds) }
        entry.jitter = 0.9 + 0.2 * jitter
        entry.heard = now
        entry.due =
            error != nil && entry.isOutdated
            ? entry.allowed(now) : entry.planned(after: now, fastest: pace.fastest, atMost: longestBackOff)
        entry.isAsked = false
        entry.isOutdated = false
        entries[index] = entry
    }

    /// The next moment at which `take` may return a connection; nil if all are being asked, or there is none.
    package var next: Moment? {
        earliest.map { max(entries[$0].due, nextBeat) }
    }

    /// The connection that is due first, among those that are not being asked.
    private var earliest: Int? {
        var found: Int?
        for index in entries.indices where !entries[index].isAsked {
            // Uses only `<`, which the clock implements itself; the other operators go through slower generic code.
            if let found, !(entries[index].due < entries[found].due) { continue }
            found = index
        }
        return found
    }
}
