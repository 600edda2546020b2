import Basics
import SessionModel

/// Makes a session from an issuer's grant and stores it. If that fails, ends the grant's tokens at the issuer.
struct SessionMaking: Sendable {
    let wish: LoginWish
    let service: any IssuerService
    let store: any SessionStore
    let clock: Clock
    let permit: LoginPermit
    let makeID: @Sendable () throws -> String
    let notes: NoteMaker

    /// The facts before the issuer has granted anything.
    struct Draft {
        var issuer: IssuerMetadata
        var client: ClientRegistration
        var asked: Scopes
        var resources: [ResourceIndicator]
        /// The session that is signed in to again.
        var again: SignIn?
        var extras: IssuerExtras
    }

    /// Throws `SessionError`, and the store's errors.
    func make(
        _ draft: Draft, of grant: TokenGrant, by attempt: any GrantingAttempt
    ) async throws -> (SignIn, ProfileNews) {
        let now = Moment(clock)
        let granted = grant.scopes ?? draft.asked
        var tokens = TokenSet(grant, scopes: granted, at: now)
        var session = SignIn(
            id: SessionID(try makeID()), name: wish.name ?? SessionName(suggestedBy: draft.issuer.issuer),
            issuer: draft.issuer, client: draft.client, asked: draft.asked, granted: granted,
            resources: draft.resources, identity: nil, at: now.wall)
        session.issuer.authorities = service.authorities
        session.extras = draft.extras
        session.signedInAt = now
        session.order(wish.signOut, keep: wish.keep, at: now)
        do {
            if case .other(let type) = grant.type { throw SessionError.unknownType(nil, type) }
            do throws(IssuerError) { session.identity = try await attempt.identity(in: grant) } catch {
                throw SessionError.issuer(error)
            }
            // An ID token that was not asked for is not judged, so it says nothing about anybody.
            if session.identity == nil { tokens.dropIDToken() }
            if let again = draft.again, let identity = again.identity, session.identity == nil {
                session.identity = try await proven(identity, by: grant, for: again, draft)
            }
            try session.demandPerson(of: draft.again)
            session = try await commit(session, tokens, again: draft.again)
        } catch {
            // Tokens that never became a session are ended.
            try? await revoke(tokens, of: session)
            throw error
        }
        // Ask for the profile only now, so that a slow answer delays no session and a failed one ends none.
        return (try? await ProfileAsking(service: service, store: store).ask(session, with: grant.accessToken))
            ?? (session, .none)
    }

    /// The account of a session that is signed in to again: the login brought no ID token, but the issuer's UserInfo is about the
    /// same person. How that person signed in is not known then. Throws `SessionError`.
    private func proven(
        _ identity: Identity, by grant: TokenGrant, for again: SignIn, _ draft: Draft
    ) async throws(SessionError) -> Identity {
        guard draft.issuer.userInfoEndpoint != nil,
            let profile = try? await service.userInfo(grant.accessToken, at: draft.issuer)
        else { throw .unknownAccount(again, asked: draft.asked) }
        let person = Identity(
            subject: profile.subject, name: identity.name, preferredUsername: identity.preferredUsername,
            email: identity.email)
        guard profile.subject == identity.subject else {
            throw .otherAccount(again.name, account: Identity(subject: profile.subject).known(by: profile).account)
        }
        return person.known(by: profile)
    }

    /// Stores the session. It replaces the session that is signed in to again, or a session of the same person with the
    /// same request.
    private func commit(_ session: SignIn, _ tokens: TokenSet, again: SignIn?) async throws -> SignIn {
        let before =
            try again
            ?? (wish.name == nil && session.identity != nil
                ? store.sessions().first {
                    $0.issuer.issuer == session.issuer.issuer && $0.identity?.subject == session.identity?.subject
                        && $0.asked == session.asked && $0.resources == session.resources
                } : nil)
        guard let before else {
            let note = try notes.signedIn(session, again: false)
            return try permit.use { try store.add(session, with: tokens, noting: note) }
        }
        let turn = try await store.turn(of: before, clock: clock)
        defer { turn.end() }
        // Meanwhile the session may have been renamed, or signed in to by another person.
        let present = try store.sessions().first { $0.id == before.id }
        try session.demandPerson(of: present)
        let name = present?.name ?? before.name
        var renewed = SignIn(
            id: before.id, name: name, issuer: session.issuer, client: session.client, asked: session.asked,
            granted: session.granted, resources: session.resources, identity: session.identity, at: session.updatedAt)
        renewed.createdAt = before.createdAt
        renewed.extras = session.extras
        renewed.signedInAt = session.signedInAt
        renewed.isKept = before.isKept
        renewed.signOut = before.signOut
        renewed.order(wish.signOut ?? before.signOut?.rule, keep: wish.keep, at: session.signedInAt)
        var old = try store.tokens(of: before.id)
        var next = tokens
        next.generation = (old?.generation ?? 0) + 1
        let note = try notes.signedIn(renewed, again: true)
        try permit.use { try store.replace(renewed, with: next, noting: note) }
        // Programs may still hold the old access tokens: let those run out by themselves.
        old?.access = []
        // Some issuers give the same refresh token again.
        if let last = old?.refreshToken, next.all.contains(where: { $0.isSame(as: last) }) { old?.refreshToken = nil }
        if let old { try? await revoke(old, of: before) }
        try? store.owe(try await revoking.leave(before, staying: try store.sessions(), owed: try store.owed()))
        return renewed
    }

    /// Notes that an issuer may have forgotten a client.
    func doubt(_ client: ClientRegistration, at issuer: Issuer) async throws {
        for session in try store.sessions() where client.isUsed(by: [session], at: issuer) {
            let turn = try await store.turn(of: session, clock: clock)
            defer { turn.end() }
            guard var tokens = try store.tokens(of: session.id) else { continue }
            tokens.isClientInDoubt = true
            try store.write(tokens, of: session.id)
        }
    }

    private var revoking: Revoking { Revoking(service: service, clock: clock, makeID: makeID) }

    private func revoke(_ tokens: TokenSet, of session: SignIn) async throws {
        try store.owe(try await revoking.end(tokens, of: session).owed)
    }
}

extension SignIn {
    /// Throws `SessionError` `otherAccount` if the session that this login would replace is another person's.
    fileprivate func demandPerson(of session: SignIn?) throws(SessionError) {
        guard let session, let person = session.identity, person.subject != identity?.subject else { return }
        throw .otherAccount(session.name, account: identity?.account ?? BankText("nobody is named"))
    }
}
