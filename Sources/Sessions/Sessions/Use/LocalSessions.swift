package import Basics
import FoundationEssentials
package import Keys
package import SessionModel

/// The sessions of a vault that is open in this process: the agent, or a single command.
package struct LocalSessions: Sendable {
    /// Where sessions and grants are kept, and notes until the log has them.
    package typealias Store = SessionStore & GrantStore & NoteStore

    package let store: any Store
    package let service: any IssuerService
    package let clock: Clock
    /// Says when sessions are to be signed out.
    package let signOutClock: SignOutClock
    /// The log, while its key is there.
    package var log: (any NoteLog)?
    /// The caller, for the log; nil where there is none.
    package var requester: Requester?
    /// The PIN that opened the vault for one command; nil in an agent, which one PIN opens for many.
    package var openedBy: ProvedPIN?
    /// Checks a PIN that was typed for one change; nil where the caller checks PINs (the agent does).
    package var prove: (@Sendable (any Secret, PINSource) async throws -> ProvedPIN)?
    private let interrupts: Interrupts
    private let tellUnstored: TokenKeeper.TellUnstored
    let unsaved = UnsavedSessions()
    let makeID: @Sendable () throws -> String
    private let rejected: @Sendable (_ digest: String) -> RejectedToken
    let readProfile: @Sendable (_ text: String) throws -> IssuerProfile

    /// `makeID`: makes a UUID. `rejected`: the token whose SHA-256 begins with these digits. `interrupts`, `tellUnstored`: see
    /// `TokenKeeper`. `readProfile`: reads an issuer file.
    package init(
        store: any Store, service: any IssuerService, clock: Clock, signOutClock: SignOutClock = .never,
        makeID: @escaping @Sendable () throws -> String,
        rejected: @escaping @Sendable (_ digest: String) -> RejectedToken,
        interrupts: Interrupts = .none, tellUnstored: @escaping TokenKeeper.TellUnstored = { _, _ in },
        readProfile: @escaping @Sendable (_ text: String) throws -> IssuerProfile = { _ in
            throw Failure.usage("no issuer files are read here")
        }
    ) {
        self.store = store
        self.service = service
        self.clock = clock
        self.signOutClock = signOutClock
        self.makeID = makeID
        self.rejected = rejected
        self.interrupts = interrupts
        self.tellUnstored = tellUnstored
        self.readProfile = readProfile
    }

    package func lookup() throws -> SessionLookup { SessionLookup(try store.sessions()) }

    package func payload(_ session: SignIn) throws -> SessionPayload {
        SessionPayload(
            session, try store.tokens(of: session.id), isUnsaved: unsaved.contains(session.id), by: signOutClock,
            at: Moment(clock))
    }

    package var keeper: TokenKeeper {
        TokenKeeper(
            service: service, store: store, clock: clock, signOutClock: signOutClock, makeID: makeID,
            requester: requester, interrupts: interrupts, unsaved: unsaved, tellUnstored: tellUnstored)
    }

    package var signOut: SignOut {
        SignOut(service: service, store: store, clock: clock, makeID: makeID, requester: requester)
    }

    package var upkeep: SessionUpkeep { SessionUpkeep(service: service, store: store, keeper: keeper, clock: clock) }

    package var sites: Sites { Sites(service: service, store: store, clock: clock, makeID: makeID) }

    package var chooser: TokenChooser { TokenChooser(service: service, store: store) }

    /// Whether this process has tokens that could not be written when they came.
    package var hasUnsaved: Bool { unsaved.isAny }

    /// Writes tokens that any process could not write when they came. Called when the sessions are opened.
    package func takeRescued() { keeper.takeRescued() }

    func list() throws -> SessionsPayload {
        SessionsPayload(try store.sessions().map(payload), failures: try damaged())
    }

    /// The rows that cannot be read; nil if all can.
    package func damaged() throws -> [DamagedRowsPayload]? { .list(try store.damagedRows()) }

    // MARK: Tokens

    /// Chooses the token for a request among these sessions. Asks no service.
    package func choice(for request: TokenRequest, among sessions: [SignIn]) throws -> TokenChoice {
        let rejected = request.terms.rejected.map(rejected)
        do throws(SessionError) {
            return TokenChoice(
                session: try SessionLookup(sessions).session(request.target), aim: request.aim, kind: request.kind,
                rejected: rejected)
        } catch {
            guard case .noSession = error, let address = request.target.flatMap({ try? WebAddress($0) }) else {
                throw error
            }
            do {
                let found = try chooser.found(for: ServiceRequest(address), among: sessions)
                let wanted = request.aim
                // Like a header for this address, unless the request says otherwise.
                let aim = TokenAim(
                    scopes: wanted.scopes ?? found.aim.scopes,
                    resources: wanted.resources.isEmpty ? found.aim.resources : wanted.resources)
                return TokenChoice(
                    session: found.session, aim: request.kind == .id ? wanted : aim, kind: request.kind,
                    rejected: rejected)
            } catch SessionError.noResource { throw error }
        }
    }

    /// Chooses the token for a request to a service among these sessions; `completed` adds the rest of its challenge.
    /// Asks no service.
    package func choice(for request: HeadersRequest, among sessions: [SignIn]) throws -> TokenChoice {
        try chooser.found(for: service(request), among: sessions)
    }

    /// Adds the rest of the challenge to the choice. May ask the service for its description of itself.
    package func completed(_ choice: TokenChoice, for request: HeadersRequest) async throws -> TokenChoice {
        try await chooser.completed(choice, for: service(request))
    }

    private func service(_ request: HeadersRequest) -> ServiceRequest {
        var service = ServiceRequest(
            request.url, SiteMatcher.Given(request.challenge), rejected: request.terms.rejected.map(rejected))
        service.takesPassword = request.password
        return service
    }

    /// The token of a choice, renewed if need be. `grant`: the grant by which a program has it; nil for the person. Throws
    /// `SessionError` `widerThanAllowed` if the issuer gave more than the grant allows.
    package func token(
        by choice: TokenChoice, _ terms: TokenTerms, within grant: ProgramGrant?
    ) async throws -> TokenPayload {
        let session = choice.session
        if choice.kind == .id {
            let found = try await keeper.idToken(
                of: session, lasting: terms.seconds, rejected: choice.rejected)
            return TokenPayload(found, of: session, at: Moment(clock))
        }
        let token = try await keeper.token(
            of: session, for: choice.aim, lasting: terms.seconds, rejected: choice.rejected)
        return try payload(token, of: session, within: grant)
    }

    private func payload(
        _ token: AccessToken, of session: SignIn, within grant: ProgramGrant?
    ) throws -> TokenPayload {
        guard grant?.permits(token.scopes, of: session) ?? true else {
            throw SessionError.widerThanAllowed(session.name, token.scopes)
        }
        // Only needed if the issuer did not give the token's lifetime.
        let isRefreshable = try token.lifetime != nil || store.tokens(of: session.id)?.isRefreshable ?? false
        return TokenPayload(token, of: session, isRefreshable: isRefreshable, at: Moment(clock))
    }

    package func headers(
        by choice: TokenChoice, _ terms: TokenTerms, within grant: ProgramGrant?
    ) async throws -> HeadersPayload {
        HeadersPayload(try await token(by: choice, terms, within: grant), choice)
    }

    /// The access token of a choice, if it can be handed out as it is; nil if a renewal must be tried first. Throws as `token`.
    package func readyToken(
        by choice: TokenChoice, _ terms: TokenTerms, within grant: ProgramGrant?
    ) throws -> TokenPayload? {
        try keeper.readyToken(of: choice.session, for: choice.aim, lasting: terms.seconds).map {
            try payload($0, of: choice.session, within: grant)
        }
    }

    package func readyHeaders(
        by choice: TokenChoice, _ terms: TokenTerms, within grant: ProgramGrant?
    ) throws -> HeadersPayload? {
        try readyToken(by: choice, terms, within: grant).map { HeadersPayload($0, choice) }
    }
}
