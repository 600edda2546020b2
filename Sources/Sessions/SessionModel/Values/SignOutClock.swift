package import FoundationEssentials

/// How a person leaves the computer.
package enum SignOutEvent: String, Sendable, CaseIterable {
    case logout, sleep
    case screenLock = "screen_lock"
}

/// Says when sessions are signed out (oauth section 8.3): at the time that the person gave for the session or the settings
/// give for all, whichever is earlier. Leaves out the sessions that the person keeps. A value without I/O.
package struct SignOutClock: Sendable {
    /// The events at which sessions are signed out, in addition to the times.
    package let events: Set<SignOutEvent>
    private let rule: SignOutRule
    private let zone: @Sendable (Date) -> Int

    /// - Parameters:
    ///   - rule: the settings' rule for all sessions; counted from each login.
    ///   - events: the events at which the settings sign sessions out.
    ///   - zone: how many seconds local time is ahead of UTC at a time.
    package init(
        _ rule: SignOutRule, on events: Set<SignOutEvent> = [], zone: @escaping @Sendable (Date) -> Int
    ) {
        self.rule = rule
        self.events = events
        self.zone = zone
    }

    /// For sessions that stay until the person says otherwise.
    package static let never = SignOutClock(.never) { _ in 0 }

    /// When a session is to be signed out, as the wall clock will show it; nil for never.
    package func end(of session: SignIn, at now: Moment) -> Date? {
        guard !session.isKept else { return nil }
        let own = session.signOut.flatMap { end(by: $0.rule, since: $0.since, at: now) }
        let usual = end(by: rule, since: session.signedInAt, at: now)
        guard let own, let usual else { return own ?? usual }
        return min(own, usual)
    }

    /// When a session would be signed out by a rule that is given now; nil for never.
    package func end(by rule: SignOutRule, givenAt now: Moment) -> Date? { end(by: rule, since: now, at: now) }

    /// Why the session must not be used any more; nil while it may be. A restart of the computer counts as a logout of everybody
    /// who signed in before it.
    package func reason(toEnd session: SignIn, at now: Moment) -> EndReason? {
        if let end = end(of: session, at: now), end <= now.wall { return .timeOver }
        guard !session.isKept, events.contains(.logout), let boot = now.bootID, let earlier = session.signedInAt.bootID
        else { return nil }
        return boot == earlier ? nil : .left
    }

    /// Whether the session is to be signed out, since the person left in this way at this moment.
    package func ends(_ session: SignIn, on event: SignOutEvent, at moment: Moment) -> Bool {
        guard !session.isKept, events.contains(event) else { return false }
        return session.signedInAt.isBefore(moment)
    }

    /// A duration is counted by the boot clock, which nobody can set, and by the wall clock, which goes on while the
    /// machine is off: the earlier end counts. After a reboot, a wall clock that stands before `since` is of no use,
    /// and the session stays.
    private func end(by rule: SignOutRule, since: Moment, at now: Moment) -> Date? {
        switch rule {
        case .never: return nil
        case .at(let minute): return next(minute, after: since.wall)
        case .after(let seconds):
            let byWall = since.wall + TimeInterval(seconds)
            guard let passed = now.secondsInBoot(since: since) else { return byWall }
            return min(byWall, now.wall + TimeInterval(seconds - passed))
        }
    }

    /// The first time after `date` at which local clocks show this minute of the day. On a day when clocks skip it, the earlier of
    /// two times: when they would show it by the old offset, and by the new one.
    private func next(_ minute: Int, after date: Date) -> Date? {
        let today = ((date.timeIntervalSince1970 + Double(zone(date))) / 86400).rounded(.down)
        for day in 0...2 {
            let local = (today + Double(day)) * 86400 + Double(minute * 60)
            // Clocks are changed at most once around that time.
            let offsets = [-86400, 86400].map { zone(Date(timeIntervalSince1970: local + $0)) }
            let times = Set(offsets).map { Date(timeIntervalSince1970: local - Double($0)) }
            let shown = times.filter { $0.timeIntervalSince1970 + Double(zone($0)) == local }
            let later = (shown.isEmpty ? times : shown).filter { $0 > date }
            if let first = later.min() { return first }
        }
        return nil
    }
}
