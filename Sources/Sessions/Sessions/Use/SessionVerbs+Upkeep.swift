import Basics
import SessionModel

/// The verbs of one existing session. Its name in the path may also be its issuer.
extension SessionVerbs {
    // A renewal that has begun is finished, whether its caller stays or not.
    package static let show = SessionVerb<ShowOptions, SessionDetailsPayload>(
        "session", .get, "/sessions/{name}", endsWithCaller: false
    ) { sessions, call in try await sessions.details(of: call.name, call.input) }

    package static let rename = SessionVerb<SessionChange, OneSessionPayload>(
        "renameSession", .patch, "/sessions/{name}", effect: .change
    ) { sessions, call in try await sessions.change(call.name, call.input) }

    package static let signOut = SessionVerb<SignOutOptions, EndedSessionPayload>(
        "signOut", .delete, "/sessions/{name}", effect: .change, while: .atHand, callers: .ownProgram
    ) { host, call in
        let sessions = try await host.sessions()
        let ended = try await sessions.end(call.name, call.input)
        await host.changed()
        // A failure to send owed revocations must not undo this logout.
        if !call.input.localOnly { await host.tellIssuers(of: sessions) }
        return ended
    }

    /// A later time takes the PIN.
    package static let setSignOut = SessionVerb<SignOutChange, OneSessionPayload>(
        "setSignOut", .patch, "/sessions/{name}/sign-out", provedBy: .ifNeeded
    ) { host, call in
        let (sessions, proof) = try await host.proved(call.pin) { ($0, $1) }
        return try await sessions.setSignOut(of: call.name, call.input, by: proof)
    }
}

extension LocalSessions {
    func details(of name: String, _ options: ShowOptions) async throws -> SessionDetailsPayload {
        var session = try lookup().session(name)
        if options.refresh { session = try await upkeep.refreshProfile(of: session) }
        return SessionDetailsPayload(
            session, try store.tokens(of: session.id), isUnsaved: unsaved.contains(session.id), try bound(to: session),
            by: signOutClock, at: Moment(clock))
    }

    func change(_ name: String, _ change: SessionChange) async throws -> OneSessionPayload {
        let session = try lookup().session(name)
        return OneSessionPayload(try payload(try await upkeep.rename(session, to: change.name)))
    }

    func end(_ name: String, _ options: SignOutOptions) async throws -> EndedSessionPayload {
        let session = try lookup().session(name)
        for grant in try store.grants() where grant.session == session.id { try noteRest(of: grant, session) }
        let bound = try bound(to: session)
        let outcome = try await signOut.signOut(session, localOnly: options.localOnly)
        return EndedSessionPayload(outcome, of: session.issuer.issuer, withPage: options.browser, bound)
    }
}
