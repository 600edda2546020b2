import Basics
public import Sessions

/// Signing out by time and event, as long as the key of sessions is here: while they are at hand, and while programs may have tokens
/// without the person. Otherwise nothing can be handed out, and it is done after the next PIN.
extension SessionWing {
    /// How often the agent looks for due sign-outs. A request for a token is judged at once in any case.
    nonisolated static let lookInterval = Duration.seconds(15)
    /// How long a computer that goes to sleep waits for issuers. logind itself waits five seconds.
    nonisolated static let patience = Duration.seconds(3)

    /// How often the agent tries again to send owed revocations.
    nonisolated static let tellInterval = Duration.seconds(3600)

    /// Signs out the sessions that are due, if it is time to look.
    func signOutDue(at moment: ContinuousClock.Instant) {
        guard let sessions = reachable, lastLook.map({ $0 + Self.lookInterval <= moment }) ?? true else { return }
        lastLook = moment
        keepDepartures()
        // Sessions that cannot be read now are read at the next look.
        let isDue = (try? sessions.signOut.isAnyDue(by: sessions.signOutClock)) ?? false
        let isOwing = isTimeToTell(at: moment) && !((try? sessions.store.owed()) ?? []).isEmpty
        if isDue || isOwing || isLogWaiting(for: sessions) { shutUnless(signOut(sessions, telling: isOwing)) }
    }

    private func isTimeToTell(at moment: ContinuousClock.Instant) -> Bool {
        telling == nil && lastTelling.map { $0 + Self.tellInterval <= moment } ?? true
    }

    /// Whether there are notes that the log could take now.
    private func isLogWaiting(for sessions: LocalSessions) -> Bool {
        guard case .open = core.state else { return false }
        return ((try? sessions.store.countOfPendingNotes()) ?? 0) > 0
    }

    var reachable: LocalSessions? {
        switch held {
        case .atHand(let sessions, _), .asleep(let sessions): sessions
        case .nothing: nil
        }
    }

    /// Ends the sessions that are due, before anything else is done. Then sends owed revocations to issuers, if a
    /// session was ended or `telling` is true. Returns false if a due session cannot be ended now: then nothing may be
    /// handed out.
    func signOut(_ sessions: LocalSessions, telling isTelling: Bool) -> Bool {
        // Notes that the log cannot take now go on waiting.
        try? sessions.settleNotes()
        guard unkept.isEmpty, let ended = try? sessions.endDue() else { return false }
        if !ended.isEmpty {
            toldEnd(of: ended, in: sessions)
            dependencies.tellSignedOut()
            try? sessions.settleNotes()
            tellChanges()
        }
        if isTelling || !ended.isEmpty { tellIssuers(of: sessions) }
        return true
    }

    /// Shuts this wing if sessions that were due could not be signed out.
    func shutUnless(_ isSignedOut: Bool) {
        guard !isSignedOut else { return }
        core.dependencies.report("sessions that are to be signed out cannot be; until then only banks are served")
        shut()
    }

    /// Sends owed revocations to issuers, after those that are under way.
    func tellIssuers(of sessions: LocalSessions) {
        tellings += 1
        lastTelling = clock.moment()
        let (before, number) = (telling, tellings)
        telling = Task.detached {
            await before?.value
            try? await sessions.signOut.settle()
            await self.told(number)
        }
    }

    private func told(_ number: Int) {
        if number == tellings { telling = nil }
    }

    /// The person leaves in this way. Call it before the core hears of it, since the core may take the key away.
    public func left(by event: SignOutEvent) {
        guard dependencies.signOutEvents.contains(event) else { return }
        unkept[event] = Departure(event, at: Moment(clock))
        keepDepartures()
        if let sessions = reachable { shutUnless(signOut(sessions, telling: false)) }
    }

    /// Writes how the person left: if the key is not here, the sign-out is done with the next PIN. A record that cannot
    /// be written now is written later.
    func keepDepartures() {
        for (event, departure) in unkept {
            do { try dependencies.departures.note(departure) } catch { continue }
            unkept[event] = nil
        }
    }

    /// Waits, for a few seconds, until renewals under way are stored and issuers have the revocations of sessions that
    /// `left` ended. The agent sends the rest later.
    public func settled() async {
        let work = telling
        guard work != nil || !servings.isZero else { return }
        let (end, ended) = AsyncStream.makeStream(of: Never.self)
        Task {
            await self.servings.reachesZero()
            await work?.value
            ended.finish()
        }
        let timer = Task { [clock] in
            try await clock.sleep(for: Self.patience)
            work?.cancel()
            ended.finish()
        }
        for await _ in end {}
        timer.cancel()
    }

}
