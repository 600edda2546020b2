import Basics

extension LocalSessions {
    /// Why nothing comes of a session before it is signed in to again; nil while something may. The issuer is not asked, and may say
    /// otherwise.
    package func whyEnded(_ session: SignIn, _ kind: TokenKind) throws -> SessionError? {
        let now = Moment(clock)
        if let reason = signOutClock.reason(toEnd: session, at: now) { return .signedOut(session.name, reason) }
        guard let tokens = try store.tokens(of: session.id) else { return nil }
        if let reason = tokens.end, reason.isByPerson || reason == .changed { return .signedOut(session.name, reason) }
        // What is still good is handed out, although nothing new comes. Whether an ID token is good is told by its keeper alone.
        let isGood = tokens.access.contains { $0.lasts(0, at: now, isRefreshable: false) }
        guard kind == .access, !tokens.isRefreshable, !isGood else { return nil }
        return tokens.end.map { .signedOut(session.name, $0) } ?? .ranOut(session.name)
    }
}
