import Basics
package import SessionModel

/// Signing out by time and event (oauth section 8.3). Unlike after a logout, the session stays, without its tokens, and so do its sites and grants:
/// a login to it brings all back.
extension SignOut {
    /// A session that was signed out without the person's doing.
    package struct Ended: Sendable {
        package var name: SessionName
        package var reason: EndReason

        /// The words for the person; no full stop.
        package var words: String { reason.words(name) }
    }

    /// Whether any session must be signed out, by time or because the person left, and still has its tokens. Changes nothing.
    package func isAnyDue(by signOutClock: SignOutClock) throws -> Bool {
        let reason = reasons(by: signOutClock, leaving: try store.departures())
        return try store.sessions().contains { session in
            guard reason(session) != nil, let tokens = try store.tokens(of: session.id) else { return false }
            return tokens.mayBeEnded
        }
    }

    /// Ends every session whose time is over, or that ends because the person left. In one step per session, destroys its tokens
    /// here and keeps them for `settle` to end at the issuer. Does not wait for a renewal under way, which cannot undo this.
    /// Returns the ended sessions. A session that cannot be ended now does not stop the others: its error is thrown at the end, and
    /// it stays due.
    package func endDue(by signOutClock: SignOutClock) throws -> [Ended] {
        let departures = try store.departures()
        let reason = reasons(by: signOutClock, leaving: departures)
        var ended: [Ended] = []
        var failure: (any Error)?
        for session in try store.sessions() {
            do { try end(session, reason).map { ended.append($0) } } catch { failure = error }
        }
        if let failure { throw failure }
        for departure in departures { try store.forget(departure) }
        return ended
    }

    private func reasons(
        by signOutClock: SignOutClock, leaving departures: [Departure]
    ) -> (SignIn) -> EndReason? {
        let now = Moment(clock)
        return { session in
            if let reason = signOutClock.reason(toEnd: session, at: now) { return reason }
            return departures.contains { signOutClock.ends(session, on: $0.event, at: $0.moment) } ? .left : nil
        }
    }

    private func end(_ session: SignIn, _ reason: (SignIn) -> EndReason?) throws -> Ended? {
        guard let expected = reason(session) else { return nil }
        let isEnded = try store.end(session.id) { session, tokens in
            // The session may have been signed in to again meanwhile.
            guard tokens.mayBeEnded, reason(session) == expected else { return nil }
            return (
                tokens.wiped(expected), owing: try revoking.owing(tokens, of: session),
                noting: try notes.ended(session, expected)
            )
        }
        return isEnded ? Ended(name: session.name, reason: expected) : nil
    }
}

extension TokenSet {
    /// Whether there is something to end. A logout that has begun ends its session itself.
    fileprivate var mayBeEnded: Bool {
        switch end {
        case nil: true
        case .rejected, .interrupted, .changed, .damaged: !all.isEmpty
        case .signedOut, .timeOver, .left: false
        }
    }
}
