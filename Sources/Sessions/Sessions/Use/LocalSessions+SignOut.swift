import Basics
import Keys
import SessionModel

/// When sessions are signed out.
extension LocalSessions {
    /// Ends every session whose time is over, or that ends because the person left; `signOut.settle` notifies the
    /// issuers. Returns the ended sessions.
    package func endDue() throws -> [SignOut.Ended] { try signOut.endDue(by: signOutClock) }

    /// Changes when a session is signed out. Without the PIN, throws `SessionError`
    /// `takesPIN` if the session would last longer.
    func setSignOut(
        of name: String, _ options: SignOutChange, by proof: ProvedPIN?
    ) async throws -> OneSessionPayload {
        let session = try lookup().session(name)
        // Take the turn: a login to the session would otherwise write the old rule back.
        let turn = try await store.turn(of: session, clock: clock)
        defer { turn.end() }
        let changed = try store.update(session.id) { session, _ in
            let now = Moment(clock)
            let (before, wasKept) = (signOutClock.end(of: session, at: now), session.isKept)
            session.order(options.until, keep: options.keep, at: now)
            guard proof == nil else { return }
            if session.isKept, !wasKept { throw SessionError.takesPIN }
            guard let before else { return }
            guard let after = signOutClock.end(of: session, at: now), after <= before else {
                throw SessionError.takesPIN
            }
        }
        return OneSessionPayload(try payload(changed))
    }
}
