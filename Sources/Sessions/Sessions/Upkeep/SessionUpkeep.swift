package import Basics
package import SessionModel

/// Small changes of a session that is there.
package struct SessionUpkeep: Sendable {
    private let service: any IssuerService
    private let store: any SessionStore
    private let keeper: TokenKeeper
    private let clock: Clock

    package init(service: any IssuerService, store: any SessionStore, keeper: TokenKeeper, clock: Clock) {
        self.service = service
        self.store = store
        self.keeper = keeper
        self.clock = clock
    }

    /// Gives a session another name. Throws `SessionError`, and the store's errors.
    package func rename(_ session: SignIn, to name: SessionName) async throws -> SignIn {
        // Take the turn: a login to the session would otherwise write the old name back.
        let turn = try await store.turn(of: session, clock: clock)
        defer { turn.end() }
        return try store.update(session.id) { session, others in
            guard !others.contains(where: { $0.name == name }) else { throw SessionError.nameTaken(name) }
            session.name = name
        }
    }

    /// Asks the issuer for name and address of the person now, with an access token that is renewed if need be. Throws
    /// `SessionError`, and the store's errors.
    package func refreshProfile(of session: SignIn) async throws -> SignIn {
        guard session.identity != nil, session.issuer.userInfoEndpoint != nil else {
            throw SessionError.noProfile(session.name)
        }
        let token = try await keeper.token(of: session, lasting: 30)
        let (changed, news) = try await ProfileAsking(service: service, store: store)
            .ask(session, with: token.token.secret)
        switch news {
        case .none, .kept: return changed
        case .ofAnother: throw SessionError.otherProfile(session.name)
        case .failed(let error): throw SessionError.profileFailed(session.name, error)
        }
    }
}
