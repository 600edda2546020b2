import Basics
package import SessionModel
import Sessions

/// Signing out by time and event, as long as the key of sessions is here: while they are at hand, and while programs may have tokens
/// without the person. Otherwise nothing can be handed out, and it is done after the next PIN.
extension SessionWing {
    /// How long a computer that goes to sleep waits for issuers. logind itself waits five seconds.
    nonisolated static let patience = Duration.seconds(3)

    /// Signs out the sessions that are due, if it is time to look.
    func signOutDue(at moment: ContinuousClock.Instant) {
        guard let sessions = held.reachable, watch.isTime(at: moment) else { return }
        watch.write(to: dependencies.departures)
        // Sessions that cannot be read now are read at the next look.
        let isDue = (try? sessions.signOut.isAnyDue(by: sessions.signOutClock)) ?? false
        let isOwing = revocations.isTime(at: moment) && !((try? sessions.store.owed()) ?? []).isEmpty
        if isDue || isOwing || isLogWaiting(for: sessions) { shutUnless(signOut(sessions, sending: isOwing)) }
    }

    /// Whether there are notes that the log could take now.
    private func isLogWaiting(for sessions: LocalSessions) -> Bool {
        guard case .open = core.state else { return false }
        return ((try? sessions.store.countOfPendingNotes()) ?? 0) > 0
    }

    /// Ends the sessions that are due, before anything else is done. Then sends owed revocations to issuers, if a
    /// session was ended or `isSending` is true. Returns false if a due session cannot be ended now: then nothing may be
    /// handed out.
    func signOut(_ sessions: LocalSessions, sending isSending: Bool) -> Bool {
        // Notes that the log cannot take now go on waiting.
        try? sessions.settleNotes()
        guard watch.isAllWritten, let ended = try? sessions.endDue() else { return false }
        if !ended.isEmpty {
            let names = Set(ended.map(\.name))
            for session in (try? sessions.store.sessions()) ?? [] where names.contains(session.name) {
                reminders.signedOut(session.id, at: clock.moment())
            }
            dependencies.announcer.signedOut()
            try? sessions.settleNotes()
            tellChanges()
        }
        if isSending || !ended.isEmpty { send(from: sessions) }
        return true
    }

    /// Shuts this wing if sessions that were due could not be signed out.
    func shutUnless(_ isSignedOut: Bool) {
        guard !isSignedOut else { return }
        core.dependencies.report("sessions that are to be signed out cannot be; until then only banks are served")
        shut()
    }

    /// Sends owed revocations to issuers.
    func send(from sessions: LocalSessions) { revocations.begin { try? await sessions.signOut.settle() } }

    /// The person leaves in this way. Call it before the core hears of it, since the core may take the key away.
    package func left(by event: SignOutEvent) {
        guard dependencies.signOutEvents.contains(event) else { return }
        watch.left(Departure(event, at: Moment(clock)))
        watch.write(to: dependencies.departures)
        if let sessions = held.reachable { shutUnless(signOut(sessions, sending: false)) }
    }

    /// Waits, for a few seconds, until renewals under way are stored and issuers have the revocations of sessions that
    /// `left` ended. The agent sends the rest later.
    package func settled() async {
        let work = revocations.underWay
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
