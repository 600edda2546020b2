import Basics
public import Sessions

/// Signing out by time and event, as long as the key of sessions is here: while they are at hand, and while programs may have tokens
/// without the person. Otherwise nothing can be handed out, and it is done after the next PIN.
extension SessionWing {
    /// How often it is looked. What is asked for is judged at once in any case.
    nonisolated static let lookInterval = Duration.seconds(15)
    /// How long a computer that goes to sleep waits for issuers. logind itself waits five seconds.
    nonisolated static let patience = Duration.seconds(3)

    /// Signs out what is due, if it is time to look.
    func signOutDue(at moment: ContinuousClock.Instant) {
        guard let sessions = reachable, signingOut == nil, lastLook.map({ $0 + Self.lookInterval <= moment }) ?? true
        else { return }
        lastLook = moment
        // What cannot be read now is looked at the next time.
        if (try? sessions.signOut.isAnyDue(by: sessions.signOutClock)) ?? false || isLogWaiting(for: sessions) {
            signOut(sessions, settling: false)
        }
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

    /// Ends what is due and what the person left, and then tells issuers what they are still to be told; with `settling`, the latter in any
    /// case.
    func signOut(_ sessions: LocalSessions, settling: Bool) {
        signOuts += 1
        let (before, number, departures) = (signingOut, signOuts, departures)
        self.departures = [:]
        let tell = parts.tellSignedOut
        signingOut = Task.detached {
            await before?.value
            // Before anything else. Notes that the log cannot take now go on waiting.
            try? sessions.settleNotes()
            var ended = (try? sessions.endDue()) ?? []
            for (event, moment) in departures { ended += (try? sessions.endLeft(by: event, at: moment)) ?? [] }
            if !ended.isEmpty {
                await self.toldEnd(of: ended, in: sessions)
                tell()
            }
            if settling || !ended.isEmpty { try? await sessions.signOut.settle() }
            try? sessions.settleNotes()
            await self.signedOut(number)
        }
    }

    private func signedOut(_ number: Int) {
        if number == signOuts { signingOut = nil }
        tellChanges()
    }

    /// The person leaves in this way. To be called before the core hears of it, which may take the key away.
    public func left(by event: SignOutEvent) {
        guard parts.signOutEvents.contains(event) else { return }
        departures[event] = Moment(clock)
        if let sessions = reachable { signOut(sessions, settling: false) }
    }

    /// Waits until what `left` began is done, for a few seconds: what issuers were not told until then is told later.
    public func signedOut() async {
        guard let work = signingOut else { return }
        let (end, ended) = AsyncStream.makeStream(of: Never.self)
        Task {
            await work.value
            ended.finish()
        }
        let timer = Task { [clock] in
            try await clock.sleep(for: Self.patience)
            work.cancel()
            ended.finish()
        }
        for await _ in end {}
        timer.cancel()
    }
}
