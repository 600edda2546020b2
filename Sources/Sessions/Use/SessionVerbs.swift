package import Basics

/// The verbs of sessions: everything that a front end can ask for.
package enum SessionVerbs {
    /// The verbs that need only the sessions at hand. The agent serves each of them.
    package static let onSessions =
        [show.untyped, rename.untyped, revoke.untyped] + SiteVerbs.onSessions

    /// Other programs get only the sessions of their own grants from the agent.
    package static let sessions = SessionVerb<NoInput, SessionsPayload>("sessions", .get, "/sessions", callers: .all) {
        sessions, _, _ in try sessions.list()
    }

    // The log's notes need its key, which is there only while content may be shown.
    package static let history = Verb<SessionHistoryRequest, SessionHistoryPayload>(
        "sessionHistory", .get, "/history/sessions", while: .open, callers: .ownProgram)

    // MARK: Tokens

    // The request may say more about the person than an address should, so it goes into the body.
    package static let token = Verb<TokenRequest, TokenPayload>("token", .post, "/tokens", while: .atHand)

    package static let headers = Verb<HeadersRequest, HeadersPayload>("headers", .post, "/headers", while: .atHand)

    /// For the part of the program that starts sooner than the rest (`Sources/entry`).
    package static let ready = Verb<ReadyRequest, ReadyPayload>(
        "ready", .post, "/ready", while: .atHand, callers: .ownProgram)

    package static let setSignOut = Verb<SignOutChange, OneSessionPayload>(
        "setSignOut", .patch, "/sessions/{name}/sign-out", effect: .change, while: .atHand, callers: .ownProgram,
        pin: .ifNeeded)

    // MARK: Programs

    /// Other programs get only their own grants from the agent.
    package static let grants = SessionVerb<NoInput, GrantsPayload>("grants", .get, "/grants", callers: .all) {
        sessions, _, _ in try sessions.grants()
    }

    package static let allowProgram = Verb<GrantOptions, OneGrantPayload>(
        "grant", .post, "/grants", effect: .change, while: .atHand, callers: .ownProgram, pin: .needed)

    static let revoke = SessionVerb<RevokeOptions, RevokedGrantPayload>(
        "revokeGrant", .delete, "/grants/{id}", effect: .change
    ) { sessions, id, options in try await sessions.revokeGrant(id, cut: options.isCut) }

    /// A program signs itself out. Allowed in every state: a program may always give up access.
    package static let revokeOwn = Verb<NoInput, NoOutput>(
        "revokeOwn", .delete, "/grants/own", effect: .change, while: .any)

    package static let requests = Verb<NoInput, RequestsPayload>(
        "requests", .get, "/requests", while: .atHand, callers: .ownProgram)

    package static let allow = Verb<AllowOptions, AnsweredRequestPayload>(
        "allow", .post, "/requests/{id}/allow", effect: .change, while: .atHand, callers: .ownProgram, pin: .needed)

    package static let refuse = Verb<NoInput, AnsweredRequestPayload>(
        "refuse", .post, "/requests/{id}/refuse", effect: .change, while: .atHand, callers: .ownProgram)
}
