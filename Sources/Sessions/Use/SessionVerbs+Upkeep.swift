import Basics

/// The verbs of one existing session. Its name in the path may also be its issuer.
extension SessionVerbs {
    // A renewal that has begun is finished, whether its caller stays or not.
    static let show = SessionVerb<ShowOptions, SessionDetailsPayload>(
        "session", .get, "/sessions/{name}", endsWithCaller: false
    ) { sessions, name, options in try await sessions.details(of: name, options) }

    static let rename = SessionVerb<SessionChange, OneSessionPayload>(
        "renameSession", .patch, "/sessions/{name}", effect: .change
    ) { sessions, name, change in try await sessions.change(name, change) }

    package static let signOut = SessionVerb<SignOutOptions, EndedSessionPayload>(
        "signOut", .delete, "/sessions/{name}", effect: .change
    ) { sessions, name, options in try await sessions.end(name, options) }
}

extension LocalSessions {
    fileprivate func details(of name: String, _ options: ShowOptions) async throws -> SessionDetailsPayload {
        var session = try lookup().session(name)
        if options.refresh { session = try await upkeep.refreshProfile(of: session) }
        return SessionDetailsPayload(
            session, try store.tokens(of: session.id), isUnsaved: unsaved.contains(session.id), try bound(to: session),
            by: signOutClock, at: Moment(clock))
    }

    fileprivate func change(_ name: String, _ change: SessionChange) async throws -> OneSessionPayload {
        let session = try lookup().session(name)
        return OneSessionPayload(try payload(try await upkeep.rename(session, to: change.name)))
    }

    fileprivate func end(_ name: String, _ options: SignOutOptions) async throws -> EndedSessionPayload {
        let session = try lookup().session(name)
        for grant in try store.grants() where grant.session == session.id { try noteRest(of: grant, session) }
        let bound = try bound(to: session)
        let outcome = try await signOut.signOut(session, localOnly: options.localOnly)
        return EndedSessionPayload(outcome, of: session.issuer.issuer, withPage: options.browser, bound)
    }
}

extension SessionOperations {
    /// All that is known of a session but its secrets.
    public func details(of name: String, _ options: ShowOptions) async throws -> SessionDetailsPayload {
        try await perform(SessionVerbs.show, on: name, options)
    }

    public func rename(_ name: String, to new: SessionName) async throws -> OneSessionPayload {
        try await perform(SessionVerbs.rename, on: name, SessionChange(name: new))
    }

    /// Signs out, even if the issuer cannot be reached.
    public func signOut(_ name: String, _ options: SignOutOptions) async throws -> EndedSessionPayload {
        try await perform(SessionVerbs.signOut, on: name, options)
    }
}
