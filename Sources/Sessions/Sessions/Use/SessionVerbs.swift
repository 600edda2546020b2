import Basics
package import Verbs

/// The verbs of sessions: everything that a front end can ask for.
package enum SessionVerbs {
    /// All of them, as the agent serves them.
    package static let all =
        [
            sessions.untyped, show.untyped, rename.untyped, signOut.untyped, setSignOut.untyped, history.untyped,
            token.untyped, headers.untyped, grants.untyped, allowProgram.untyped, revoke.untyped,
        ] + SiteVerbs.all

    /// Other programs get only the sessions of their own grants from the agent.
    package static let sessions = SessionVerb<NoInput, SessionsPayload>("sessions", .get, "/sessions", while: .atHand) {
        host, _ in try await host.sessionList()
    }

    // The log's notes need its key, which is there only while content may be shown.
    package static let history = SessionVerb<SessionHistoryRequest, SessionHistoryPayload>(
        "sessionHistory", .get, "/history/sessions", while: .open, callers: .ownProgram
    ) { host, call in try await host.sessions().history(call.input) }

    // MARK: Tokens

    // The request may say more about the person than an address should, so it goes into the body.
    package static let token = SessionVerb<TokenRequest, TokenPayload>("token", .post, "/tokens", while: .atHand) {
        host, call in try await host.token(call.input)
    }

    package static let headers = SessionVerb<HeadersRequest, HeadersPayload>(
        "headers", .post, "/headers", while: .atHand
    ) { host, call in try await host.headers(call.input) }

    // MARK: Grants

    /// Other programs get only their own grants from the agent.
    package static let grants = SessionVerb<NoInput, GrantsPayload>("grants", .get, "/grants", while: .atHand) {
        host, _ in try await host.grantList()
    }

    /// Lets a program have tokens of a session.
    package static let allowProgram = SessionVerb<GrantOptions, OneGrantPayload>(
        "grant", .post, "/grants", provedBy: .needed
    ) { host, call in
        try await host.demandProof(call.pin) { try $0.allow(call.input, by: $1) }
    }

    /// With `cut`, also ends, at the issuer, the tokens that were handed out by the grant.
    package static let revoke = SessionVerb<RevokeOptions, RevokedGrantPayload>(
        "revokeGrant", .delete, "/grants/{id}", effect: .change
    ) { sessions, call in try await sessions.revokeGrant(call.name, cut: call.input.isCut) }
}
