package import Basics
import FoundationEssentials
package import SessionModel

/// One login, step by step (oauth section 6): `begin` finds the issuer, `accept` makes the page after the person agreed, `take` judges each
/// address that the browser was led to. In a device flow `acceptDevice` makes the code, and `awaitDevice` waits until it was entered.
/// No session is stored before it is returned, and nothing is left of a login that failed but a registration that cannot be deleted: the next
/// login takes it.
package actor Login {
    let wish: LoginWish
    let service: any IssuerService
    let clock: Clock
    var state = State.new
    /// The service whose address was given, if it named the issuer.
    private(set) var namedBy: ResourceIndicator?
    private let store: any SessionStore
    private let making: SessionMaking
    private let permit: LoginPermit
    /// The client that this login registered; nil once a session was made.
    private var registered: ClientRegistration?
    /// Where that was.
    private var offeredIssuer: IssuerMetadata?

    enum State {
        case new
        case offered(Offered)
        case waiting(Offered, ClientRegistration, any AuthorizationAttempt)
        case polling(Offered, ClientRegistration, any DeviceAttempt)
        case over
    }

    struct Offered {
        var issuer: IssuerMetadata
        /// Nil if this program has to register itself.
        var client: ClientRegistration?
        var scopes: Scopes
        var resources: [ResourceIndicator]
        var again: SignIn?
        var extras: IssuerExtras
        /// Whether a failed login left the client, so that no session proves that the issuer takes it.
        var isClientUnproven = false
    }

    /// The verdict on one address.
    package enum Verdict: Sendable {
        /// It does not belong to this login. The wait goes on.
        case notOurs
        case signedIn(SignIn, ProfileNews)
    }

    /// `permit`: without it nothing is stored. `makeID`: makes a UUID. `requester`: the caller that signs in, for the
    /// log.
    package init(
        _ wish: LoginWish, service: any IssuerService, store: any SessionStore, clock: Clock,
        permit: LoginPermit = LoginPermit(), makeID: @escaping @Sendable () throws -> String,
        requester: Requester? = nil
    ) {
        self.wish = wish
        let service = wish.target.session.map { service.calling($0.issuer) } ?? service
        self.service = service
        self.store = store
        self.clock = clock
        self.permit = permit
        making = SessionMaking(
            wish: wish, service: service, store: store, clock: clock, permit: permit, makeID: makeID,
            notes: NoteMaker(clock: clock, makeID: makeID, requester: requester))
    }

    /// Finds the issuer and returns the terms that the person must agree to. Throws `SessionError`, and the store's
    /// errors.
    package func begin() async throws -> LoginOffer {
        let sessions = try store.sessions()
        var again: SignIn?
        if case .session(let session) = wish.target {
            again = session
            if let name = wish.name, name != session.name { throw SessionError.nameKept(session.name) }
        } else if let name = wish.name, sessions.contains(where: { $0.name == name }) {
            throw SessionError.nameTaken(name)
        }
        let found = try await find()
        let issuer = found.metadata
        namedBy = found.resource
        if let again, again.issuer.issuer != issuer.issuer {
            throw SessionError.issuer(
                .contradiction(
                    reason: IssuerError.words(
                        again.issuer.issuer.host, names: issuer.issuer.text, not: again.issuer.issuer)))
        }
        var resources = Set(wish.resources + (found.resource.map { [$0] } ?? []))
        if resources.isEmpty, let again { resources = Set(again.resources) }
        if wish.isForDevice, issuer.deviceAuthorizationEndpoint == nil {
            throw SessionError.noDeviceFlow(issuer)
        }
        let known = try client(at: issuer, again, sessions)
        let unused = known == nil && wish.client == nil ? try unusedRegistration(at: issuer) : nil
        let client = known ?? unused
        guard client != nil || issuer.registrationEndpoint != nil else {
            throw SessionError.needsClient(issuer)
        }
        var offered = Offered(
            issuer: issuer, client: client, scopes: scopes(at: issuer, again), resources: resources.sorted(),
            again: again, extras: wish.extras ?? again?.extras ?? .none)
        offered.isClientUnproven = unused != nil
        if offered.scopes.contains("openid"), issuer.unusableEndpoints?["jwks_uri"] != nil {
            throw SessionError.issuer(.contradiction(reason: issuer.words(for: "jwks_uri", missing: "")))
        }
        // An issuer without ID tokens may sign in any person that its page remembers.
        guard !wish.isFresh || offered.scopes.contains("openid") else { throw SessionError.unprovable(issuer.issuer) }
        state = .offered(offered)
        return LoginOffer(
            issuer: issuer.issuer, hosts: issuer.hosts, client: client?.id, redirectURI: client?.redirectURI,
            mayMove: client?.isRegisteredHere != false && issuer.registrationEndpoint != nil, scopes: offered.scopes,
            resources: offered.resources, again: again?.name)
    }

    /// Makes the page where the person signs in; registers this program first, if that is needed. The browser will be led to
    /// `redirectURI`. Throws `SessionError`.
    package func accept(redirectURI: String) async throws -> WebAddress {
        guard case .offered(let offered) = state else { throw SessionError.waitOver }
        var used = offered.client
        do throws(IssuerError) {
            let client: ClientRegistration
            if let known = offered.client,
                !known.isRegisteredHere || known.redirectURI == redirectURI
                    || offered.issuer.registrationEndpoint == nil
            {
                client = known
            } else {
                used = nil
                client = try await register(redirectURI, forDevices: false, at: offered.issuer)
                used = client
            }
            var request = AuthorizationRequest(
                scopes: offered.scopes, resources: offered.resources, redirectURI: redirectURI)
            request.account = wish.account
            // Some issuers grant `offline_access` only with `consent` (OpenID Connect Core 1.0 section 11).
            var prompts = Set(wish.prompts + offered.extras.prompts)
            if offered.scopes.contains("offline_access") { prompts.insert(.consent) }
            let words = (wish.isFresh ? ["login"] : []) + prompts.map(\.rawValue).sorted()
            request.prompt = words.isEmpty ? nil : words.joined(separator: " ")
            request.maxAge = wish.isFresh ? 0 : wish.maxAge
            request.acrValues = wish.acrValues
            request.languages = wish.languages
            request.extras = offered.extras
            let (attempt, taken) = try await asTaken(client, at: offered.issuer) {
                client async throws(IssuerError) in
                try await service.authorize(request, as: client, at: offered.issuer)
            }
            state = .waiting(offered, taken, attempt)
            return attempt.page
        } catch {
            throw await refused(error, offered, used)
        }
    }

    /// Judges one address that the browser was led to, and signs in with the first one that belongs to this login. An
    /// error ends the login. Throws `SessionError`, and the store's errors.
    package func take(_ address: String) async throws -> Verdict {
        guard case .waiting(let offered, let client, let attempt) = state else { return .notOurs }
        switch attempt.judge(address) {
        case .notOurs: return .notOurs
        case .refused(let rejection):
            state = .over
            throw SessionError.loginRefused(LoginRefusal(rejection, of: offered, as: client))
        case .contradiction(let reason):
            state = .over
            throw SessionError.strangeRedirect(offered.issuer.issuer, reason: reason)
        case .code(let code):
            // In any outcome: a code is sent only once.
            state = .over
            let (grant, taken): (TokenGrant, ClientRegistration)
            do {
                // An issuer that does not take the client looks at no code.
                (grant, taken) = try await asTaken(client, at: offered.issuer) { client async throws(IssuerError) in
                    try await attempt.exchange(code, as: client)
                }
            } catch {
                throw await refused(error, offered, client)
            }
            let (session, news) = try await make(grant, by: attempt, offered, taken)
            return .signedIn(session, news)
        }
    }

    /// Makes the session from the issuer's grant.
    func make(
        _ grant: TokenGrant, by attempt: any GrantingAttempt, _ offered: Offered, _ client: ClientRegistration
    ) async throws -> (SignIn, ProfileNews) {
        let draft = SessionMaking.Draft(
            issuer: offered.issuer, client: client, asked: offered.scopes, resources: offered.resources,
            again: offered.again, extras: offered.extras)
        // The client belongs to the session as soon as that is stored, even if the login is abandoned before this returns.
        let own = registered
        registered = nil
        do {
            let made = try await making.make(draft, of: grant, by: attempt)
            // If that cannot be written now, it is written when owed revocations are settled.
            for unused in (try? store.owed()) ?? [] where unused.kind == .unused && unused.client.id == client.id {
                try? store.settle(unused)
            }
            return made
        } catch {
            registered = own
            throw error
        }
    }

    /// Ends a login, which stores no session from here on. If it made none, its registration is deleted again; if that
    /// is not possible, it is kept for the next login.
    package func abandon() async {
        state = .over
        permit.withdraw()
        guard let client = registered else { return }
        registered = nil
        if client.management != nil, (try? await service.unregister(client)) == nil { keep(client) }
    }

    /// Keeps a registration that no session uses for the next login. Needs no permit, since it is nothing of the person's.
    private func keep(_ client: ClientRegistration) {
        guard let issuer = offeredIssuer, let id = try? making.makeID() else { return }
        let unused = OwedRevocation(
            id: id, issuer: issuer, client: client, token: client.management?.token, kind: .unused, since: clock.now())
        try? store.owe([unused])
    }

    /// A registration that a failed login left at the issuer. Nil if there is none that may be good still.
    private func unusedRegistration(at issuer: IssuerMetadata) throws -> ClientRegistration? {
        try store.owed().first {
            $0.isKept(at: clock.now()) && $0.issuer.issuer == issuer.issuer
                && (!wish.isForDevice || $0.client.isForDevices)
        }?.client
    }

    /// Calls the issuer as this client. If the issuer does not take it without a secret, and gave it one unasked, calls again with the secret.
    /// Returns the client as it was taken, too.
    func asTaken<Answer>(
        _ client: ClientRegistration, at issuer: IssuerMetadata,
        _ call: (ClientRegistration) async throws(IssuerError) -> Answer
    ) async throws(IssuerError) -> (Answer, ClientRegistration) {
        do { return (try await call(client), client) } catch {
            guard case .refused(let rejection) = error, rejection.kind == .client || rejection.kind == .unexplained,
                let proven = client.withUnaskedSecret(at: issuer)
            else { throw error }
            return (try await call(proven), proven)
        }
    }

    func register(
        _ redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration {
        let client = try await service.register(redirectURI: redirectURI, forDevices: forDevices, at: issuer)
        registered = client
        offeredIssuer = issuer
        // Later there may be no time for it.
        if client.management == nil { keep(client) }
        return client
    }

    /// Turns an issuer's refusal into an error. If the issuer does not know this program, the next login registers it anew.
    /// `client`: the client that this program used; nil if it could not be registered.
    func refused(_ error: IssuerError, _ offered: Offered, _ client: ClientRegistration?) async -> SessionError {
        guard case .refused(let rejection) = error else { return .issuer(error) }
        if rejection.kind == .client, let client, client.isRegisteredHere, !offered.isClientUnproven {
            try? await making.doubt(client, at: offered.issuer.issuer)
        }
        return .loginRefused(LoginRefusal(rejection, of: offered, as: client))
    }

    // MARK: The request

    private func find() async throws(SessionError) -> DiscoveredIssuer {
        let address: WebAddress
        switch wish.target {
        case .described(let metadata): return DiscoveredIssuer(metadata)
        case .session(let session) where session.extras.isDescribed:
            if let wanted = wish.issuer, wanted != session.issuer.issuer {
                throw .otherIssuer(session, wanted: wanted)
            }
            return DiscoveredIssuer(session.issuer)
        case .session(let session): address = session.issuer.issuer.address
        case .address(let target): address = target
        }
        do { return try await service.discover(address, issuer: wish.issuer) } catch { throw .issuer(error) }
    }

    private func client(
        at issuer: IssuerMetadata, _ again: SignIn?, _ sessions: [SignIn]
    ) throws -> ClientRegistration? {
        guard let named = wish.client else {
            if let again, !again.client.isRegisteredHere { return again.client }
            // An earlier registration of this program serves all sessions at its issuer, as long as the issuer knows it.
            let ours = sessions.filter { $0.issuer.issuer == issuer.issuer && $0.client.isRegisteredHere }
            let forgotten = try ours.filter { try store.tokens(of: $0.id)?.isClientInDoubt ?? false }.map(\.client.id)
            let known = ours.filter {
                (!forgotten.contains($0.client.id) && (!wish.isForDevice || $0.client.isForDevices))
                    || issuer.registrationEndpoint == nil
            }
            return (known.first { $0.id == again?.id } ?? known.first)?.client
        }
        var client = ClientRegistration(id: named.id, secret: named.secret, redirectURI: named.redirectURI)
        if let way = named.authentication {
            client.authentication = way
        } else if named.secret != nil {
            client.authentication = issuer.authenticationBySecret
        }
        return client
    }

    private func scopes(at issuer: IssuerMetadata, _ again: SignIn?) -> Scopes {
        var scopes: Scopes
        if let wished = wish.scopes ?? again?.asked {
            scopes = wished
        } else if issuer.speaksOpenID {
            let usual = ["openid", "profile", "email"].filter {
                $0 == "openid" || issuer.scopesSupported?.contains($0) != false
            }
            scopes = Scopes(usual) ?? .none
        } else {
            scopes = .none
        }
        if wish.isOffline { scopes = Scopes(scopes.all + ["offline_access"]) ?? scopes }
        return scopes
    }
}
