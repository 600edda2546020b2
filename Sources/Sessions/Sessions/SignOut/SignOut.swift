package import Basics
package import FoundationEssentials
package import SessionModel

/// Signs out (oauth section 8.1): ends the tokens at the issuer, then destroys everything of the session here. The
/// person is signed out even if the issuer cannot be reached.
package struct SignOut: Sendable {
    let store: any SessionStore
    let clock: Clock
    let revoking: Revoking
    let notes: NoteMaker

    /// `makeID`: makes a UUID. `requester`: the caller that signs out, for the log.
    package init(
        service: any IssuerService, store: any SessionStore, clock: Clock,
        makeID: @escaping @Sendable () throws -> String, requester: Requester? = nil
    ) {
        self.store = store
        self.clock = clock
        revoking = Revoking(service: service, clock: clock, makeID: makeID)
        notes = NoteMaker(clock: clock, makeID: makeID, requester: requester)
    }

    /// The result for one session.
    package struct Outcome: Sendable {
        package var name: SessionName
        /// Whether the issuer ended its tokens.
        package var isTold: Bool
        /// Whether the issuer could not be reached, and will be notified later.
        package var isOwed: Bool
        /// Until when an access token is good that the issuer did not end, of those that it was asked to end.
        package var goodUntil: Date?
        /// Where a browser signs out at the issuer; nil where it has no page for that.
        package var page: SignOutPage?
    }

    /// `localOnly`: does not contact the issuer. Destroys the session even if another process never finishes renewing
    /// it.
    package func signOut(_ found: SignIn, localOnly: Bool = false) async throws -> Outcome {
        let turn: (any HeldTurn)?
        do { turn = try await store.turn(of: found, clock: clock) } catch is SessionError { turn = nil }
        defer { turn?.end() }
        // Somebody may have signed in to it again meanwhile, as another client.
        guard let session = try store.sessions().first(where: { $0.id == found.id }),
            let tokens = try store.newestTokens(of: session.id)
        else { throw SessionError.noSession(wanted: found.name.text, near: []) }
        // From here on nothing is handed out, even if this process dies before the rows are gone.
        try store.write(tokens.ended(.signedOut), of: session.id)
        let outcome =
            localOnly
            ? Revoking.Outcome(isTold: false, owed: []) : try await revoking.end(tokens, of: session)
        var owed = outcome.owed
        if !localOnly {
            owed += try await revoking.leave(
                session, staying: try store.sessions().filter { $0.id != session.id }, owed: try store.owed() + owed)
        }
        let isOwed = !outcome.owed.isEmpty
        try store.remove(
            session.id, owing: owed,
            noting: try notes.signedOut(session, isTold: outcome.isTold, isOwed: isOwed))
        return Outcome(
            name: session.name, isTold: outcome.isTold, isOwed: isOwed, goodUntil: outcome.goodUntil,
            page: SignOutPage(session, idToken: tokens.idToken, at: clock.now()))
    }

    /// Makes the calls that are still owed to issuers.
    package func settle() async throws { try await revoking.settle(store) }
}
