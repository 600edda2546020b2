package import Basics
package import SessionModel

/// The parts of a request to a service that decide which token it gets.
package struct ServiceRequest: Sendable {
    package var address: WebAddress
    package var given: SiteMatcher.Given
    /// The token that the service rejected, where the program names it.
    package var rejected: RejectedToken?
    /// Whether the token can be sent as a password (RFC 7617), so that a challenge for Basic is answered, too.
    package var takesPassword = false

    package init(_ address: WebAddress, _ given: SiteMatcher.Given = .none, rejected: RejectedToken? = nil) {
        self.address = address
        self.given = given
        self.rejected = rejected
    }
}

/// Which token goes with a request.
package struct TokenChoice: Sendable {
    package var session: SignIn
    package var aim: TokenAim
    package var kind: TokenKind
    /// Nil where none was rejected.
    package var rejected: RejectedToken?
    /// Nil where the session was chosen by a resource of its own.
    package var site: Site?
    /// The resource that covers the address; nil if the site has none.
    package var resource: ResourceIndicator?

    init(
        session: SignIn, aim: TokenAim, kind: TokenKind = .access, rejected: RejectedToken?, site: Site? = nil,
        resource: ResourceIndicator? = nil
    ) {
        self.kind = kind
        self.session = session
        self.aim = aim
        self.rejected = rejected
        self.site = site
        self.resource = resource
    }
}

/// Finds the session, the aim and the rejected token for a request and its challenge (oauth sections 4.2, 7.6): first by the sites, then by
/// the resources that sessions were signed in for.
package struct TokenChooser: Sendable {
    private let service: any IssuerService
    private let store: any SessionStore

    package init(service: any IssuerService, store: any SessionStore) {
        self.service = service
        self.store = store
    }

    /// Throws `SessionError`: `noResource` if the request gets no token, `needsScopes` and `needsStrongerLogin` if a
    /// renewal cannot satisfy the challenge, `siteContradicts` if the metadata that the challenge names does not fit.
    package func choose(for request: ServiceRequest) async throws -> TokenChoice {
        try await completed(try found(for: request, among: try store.sessions()), for: request)
    }

    /// Adds the rest of the challenge to a choice. May ask the service for its description of itself, and for its
    /// challenges if they are not known. Throws as `choose` does.
    func completed(_ choice: TokenChoice, for request: ServiceRequest) async throws -> TokenChoice {
        var choice = choice
        if request.given == .unread, request.takesPassword, choice.rejected != nil,
            let challenges = await service.calling(choice.session.issuer).challenges(of: request.address),
            !challenges.takesPasswords
        {
            // A password that the service did not ask for was not sent, so it was not rejected either.
            choice.rejected = nil
        }
        guard case .read(let challenges) = request.given, let challenge = challenges.bearer else { return choice }
        try await check(challenge, request.address, choice)
        if challenge.complaint == .insufficientUserAuthentication {
            throw SessionError.needsStrongerLogin(
                choice.session.name, acr: challenge.acrValues.map { BankText($0) }, maxAge: challenge.maxAge)
        }
        try widen(&choice, by: challenge)
        if challenge.complaint == .invalidToken, choice.rejected == nil { choice.rejected = .newest }
        return choice
    }

    /// The session that the request gets a token of, by its address and the challenge's scheme and realm alone; nil
    /// where none fits. Throws the store's errors, and `SessionError` `ambiguous`.
    package func session(for request: ServiceRequest) throws -> SignIn? {
        do { return try found(for: request, among: try store.sessions()).session } catch SessionError.noResource,
            SessionError.noSessions
        {
            return nil
        }
    }

    /// Chooses among these sessions by the address and the challenge's scheme and realm alone. Throws `SessionError` `noSessions`,
    /// `noResource` and `ambiguous`.
    func found(for request: ServiceRequest, among sessions: [SignIn]) throws -> TokenChoice {
        guard !sessions.isEmpty else { throw SessionError.noSessions }
        let matcher = SiteMatcher(try store.sites())
        if let site = matcher.site(for: request.address, request.given, takesPassword: request.takesPassword) {
            // The site names its session, so no other session's token is sent.
            guard let session = sessions.first(where: { $0.id == site.session }) else {
                throw nothing(for: request)
            }
            return TokenChoice(
                session: session, aim: session.aim(site.scopes, site.resource), rejected: request.rejected, site: site,
                resource: site.resource)
        }
        // A session's resource counts as a prefix without conditions; a site with conditions comes before it.
        var isRefused = matcher.isConditional(
            request.address, request.given, takesPassword: request.takesPassword)
        if case .read(let challenges) = request.given {
            isRefused = isRefused || challenges.answered(byPassword: request.takesPassword).isEmpty
        }
        if isRefused { throw nothing(for: request) }
        let (session, resource) = try SessionLookup(sessions).session(for: request.address) { session in
            guard let tokens = try? store.tokens(of: session.id) else { return true }
            return tokens.end != nil
        }
        return TokenChoice(
            session: session, aim: session.aim(nil, resource), rejected: request.rejected, site: nil, resource: resource
        )
    }

    private func nothing(for request: ServiceRequest) -> SessionError {
        var wanted: [String] = []
        if case .read(let challenges) = request.given, challenges.answered(byPassword: request.takesPassword).isEmpty {
            wanted = challenges.all.compactMap(\.scheme)
        }
        return .noResource(request.address.origin + request.address.path, wanted: wanted)
    }

    /// Compares the challenge's metadata with the session before a token is sent. A host was bound before its resources
    /// were seen, so for a host the metadata must be found, too.
    private func check(_ challenge: Challenge, _ address: WebAddress, _ choice: TokenChoice) async throws {
        guard let place = challenge.metadata else { return }
        let metadata: ResourceMetadata?
        do throws(IssuerError) {
            metadata = try await service.calling(choice.session.issuer).describe(address, at: place).metadata
        } catch {
            throw SessionError.issuer(error)
        }
        let findings = metadata?.judged(for: address, choice.session) ?? []
        if let wrong = findings.first(where: { !$0.isGood }) {
            throw SessionError.siteContradicts(address.origin + address.path, wrong)
        }
        if metadata == nil, let site = choice.site, case .host = site.rule {
            throw SessionError.undescribed(address.origin + address.path)
        }
    }

    /// Adds the scopes that the challenge wants, as far as the session was granted them.
    private func widen(_ choice: inout TokenChoice, by challenge: Challenge) throws {
        let session = choice.session
        let had = choice.aim.scopes ?? session.granted
        let wanted = challenge.scopes ?? .none
        if challenge.complaint == .insufficientScope {
            guard wanted.isSubset(of: session.granted), !wanted.isSubset(of: had) else {
                throw SessionError.needsScopes(session, wanted)
            }
        }
        guard choice.aim.scopes != nil,
            let all = Scopes(had.all + wanted.all.filter { session.granted.contains($0) })
        else { return }
        choice.aim = TokenAim(scopes: all == session.granted ? nil : all, resources: choice.aim.resources)
    }
}

extension SignIn {
    /// An aim in its shortest form, so that equal needs are served by one token.
    package func aim(_ scopes: Scopes?, _ resource: ResourceIndicator?) -> TokenAim {
        TokenAim(
            scopes: scopes == granted ? nil : scopes,
            resources: resource.map { resources == [$0] ? [] : [$0] } ?? [])
    }
}
