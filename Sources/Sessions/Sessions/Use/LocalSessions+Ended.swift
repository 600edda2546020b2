import Basics
package import SessionModel

extension LocalSessions {
    /// Why a session gives nothing before it is signed in to again; nil if it may give something. Does not ask the issuer, which
    /// may say otherwise.
    package func whyEnded(_ session: SignIn, _ kind: TokenKind) throws -> SessionError? {
        let now = Moment(clock)
        if let reason = signOutClock.reason(toEnd: session, at: now) { return .signedOut(session.name, reason) }
        guard let tokens = try store.tokens(of: session.id) else { return nil }
        if let reason = tokens.end, reason.isByPerson || [.changed, .damaged].contains(reason) {
            return .signedOut(session.name, reason)
        }
        // A token that is still good is handed out, although no new one comes. Only the keeper knows whether an ID token is good.
        let isGood = tokens.access.contains { $0.lasts(0, at: now, isRefreshable: false) }
        guard kind == .access, !tokens.isRefreshable, !isGood else { return nil }
        return tokens.end.map { .signedOut(session.name, $0) } ?? .ranOut(session)
    }
}
