import Basics

/// Signing out by time and event (design of sessions 8.3). Unlike after a logout, the session stays, without its tokens, and so do its sites and grants:
/// a login to it brings all back.
extension SignOut {
    /// A session that was signed out without the person's doing.
    public struct Ended: Sendable {
        public var name: SessionName
        public var reason: EndReason

        /// What to tell the person; no full stop.
        public var words: String { reason.words(name) }
    }

    /// Whether some session's time is over, and its tokens are still here. Changes nothing.
    public func isAnyDue(by signOutClock: SignOutClock) throws -> Bool {
        let now = Moment(clock)
        return try store.sessions().contains { session in
            guard signOutClock.reason(toEnd: session, at: now) != nil, let tokens = try store.tokens(of: session.id)
            else { return false }
            return tokens.mayBeEnded
        }
    }

    /// Ends every session whose time is over: destroys its tokens here, and keeps them for `settle` to end at the issuer, in one step for
    /// each session. A renewal that is under way is not awaited, and cannot undo it. Returns those that were ended.
    public func endDue(by signOutClock: SignOutClock) throws -> [Ended] {
        let now = Moment(clock)
        return try end { signOutClock.reason(toEnd: $0, at: now) }
    }

    /// Ends, in the same way, every session that the person wants signed out when they leave in this way, as they did at this moment.
    public func endLeft(
        by event: SignOutEvent, at moment: Moment, by signOutClock: SignOutClock
    ) throws -> [Ended] {
        try end { signOutClock.ends($0, on: event, at: moment) ? .left : nil }
    }

    private func end(_ reason: (SignIn) -> EndReason?) throws -> [Ended] {
        try store.sessions().compactMap { session in
            guard let expected = reason(session) else { return nil }
            let isEnded = try store.end(session.id) { session, tokens in
                // It may have been signed in to again meanwhile.
                guard tokens.mayBeEnded, reason(session) == expected else { return nil }
                return (
                    tokens.wiped(expected), owing: try revoking.owing(tokens, of: session),
                    noting: try notes.ended(session, expected)
                )
            }
            return isEnded ? Ended(name: session.name, reason: expected) : nil
        }
    }
}

extension TokenSet {
    /// Whether there is something to end. What a logout has begun is left to it.
    fileprivate var mayBeEnded: Bool {
        switch end {
        case nil: true
        case .rejected, .interrupted, .changed: !all.isEmpty
        case .signedOut, .timeOver, .left: false
        }
    }
}
