package import Basics

/// The wire of OAuth 2.0 and OpenID Connect, as a login needs it. Its calls store nothing and take everything that they
/// need, so one value serves all issuers.
///
/// Every call goes over HTTPS (or loopback), with the limits of oauth sections 6 and 7. No redirect is followed, but for
/// documents that moved within their origin. No secret, code or token is ever part of an error or a trace.
package protocol IssuerService: Sendable {
    /// The certificate authorities that are trusted besides the system's; nil if there are none, or too many to be kept.
    var authorities: AuthorityBundle? { get }

    /// The same service, which trusts these authorities as well.
    func trusting(_ authorities: AuthorityBundle) -> any IssuerService

    /// Finds the issuer behind a target (oauth section 6.2), reads both of its discovery documents and makes their union; both must name
    /// the issuer that was asked for. `issuer`: the one to choose where the target is a resource that names several.
    func discover(_ target: WebAddress, issuer: Issuer?) async throws(IssuerError) -> DiscoveredIssuer

    /// Registers this program (RFC 7591 section 3.1) with this redirect address; with `forDevices` for the device flow, too. Throws
    /// `noRegistration` where the issuer has no endpoint for it.
    func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration

    /// Deletes a registration of this program (RFC 7592 section 2.3). Also throws `refused` if there is no address to delete it at.
    func unregister(_ client: ClientRegistration) async throws(IssuerError)

    /// Begins one authorization: makes `state`, `nonce` and the PKCE verifier, and pushes the request where the issuer demands it
    /// (RFC 9126). Sends nothing else.
    func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt

    /// Begins a device flow (RFC 8628 section 3.1): asks for a code that the person enters on a page of the issuer.
    func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt

    /// Sends one refresh token once (RFC 6749 section 6). Never throws: the kind of failure decides whether the token
    /// is kept.
    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer

    /// Judges the ID token of a renewal (OpenID Connect Core 1.0 section 12.2): its signature, its times, and that `iss`, `sub` and
    /// `aud` are as before. A grant without an ID token is `right`. Throws `unreachable` if the issuer's keys cannot be fetched:
    /// judge it later.
    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement

    /// Asks a service for its description of itself (RFC 9728 section 3). `place`: the address in a challenge; a place
    /// at another origin is not asked. If `place` is nil, asks at the address in the service's own challenge, at the
    /// usual place for its address, and at those for its parent paths. Throws `unreachable` if the service does not
    /// answer, or has a problem of its own: then nothing is known.
    func describe(_ resource: WebAddress, at place: WebAddress?) async throws(IssuerError) -> ResourceDescription

    /// Asks a service for its challenges by a request without a token. Nil if it makes none there, or does not answer.
    func challenges(of resource: WebAddress) async -> Challenges?

    /// Asks whose access token this is (OpenID Connect Core 1.0 section 5.3). The caller must check that it is the session's
    /// person. Throws `refused`, `unreachable`, and `contradiction` if the answer is not UserInfo.
    func userInfo(_ accessToken: any Secret, at issuer: IssuerMetadata) async throws(IssuerError) -> UserProfile

    /// Ends a token (RFC 7009 section 2). Returns for status 200, even if the issuer did not know the token.
    func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError)
}

/// The verdict on the ID token of a renewal.
package enum RenewalJudgement: Sendable, Equatable {
    case right
    /// Of another person, issuer or client: the session has changed hands.
    case ofAnother
    /// Not usable for another reason, such as its times, an unknown key or a wrong signature; the reason is in our own words. It
    /// says nothing about the session.
    case faulty(reason: String)
}

/// The result of a discovery.
package struct DiscoveredIssuer: Sendable, Equatable {
    package var metadata: IssuerMetadata
    /// The resource that named the issuer (RFC 9728), where the target was one.
    package var resource: ResourceIndicator?

    package init(_ metadata: IssuerMetadata, resource: ResourceIndicator? = nil) {
        self.metadata = metadata
        self.resource = resource
    }
}

/// A request to the authorization endpoint (oauth section 6.4).
package struct AuthorizationRequest: Sendable, Equatable {
    /// With `openid` among them, an ID token must come back, and `nonce` is sent.
    package var scopes: Scopes
    package var resources: [ResourceIndicator]
    /// Where the browser is led back to, exactly as registered.
    package var redirectURI: String
    /// `login_hint`.
    package var account: String?
    /// `prompt`, such as `login` or `consent`.
    package var prompt: String?
    /// `max_age` in seconds. `auth_time` is then demanded and checked.
    package var maxAge: Int?
    /// `acr_values`. `acr` must then be one of them.
    package var acrValues: [String] = []
    /// `ui_locales`, unless `extras` has it.
    package var languages = LanguageTags.none
    package var extras = IssuerExtras.none

    package init(scopes: Scopes, resources: [ResourceIndicator] = [], redirectURI: String) {
        self.scopes = scopes
        self.resources = resources
        self.redirectURI = redirectURI
    }
}

/// A login under way, in any flow.
package protocol GrantingAttempt: Sendable {
    /// Validates the ID token of that grant in full (oauth section 6.6). Returns nil where `openid` was not asked for,
    /// and in the device flow also where the issuer gives no ID token there, as some do. Throws `contradiction` for an
    /// ID token that is missing or not right; the caller then revokes the granted tokens.
    func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity?
}

/// One authorization under way: the secrets of one login, which end with this value.
package protocol AuthorizationAttempt: GrantingAttempt {
    /// The page where the person signs in.
    var page: WebAddress { get }

    /// Judges one address that the browser was led to, good or forged, in the order of oauth section 6.5. Sends nothing. `state` is
    /// compared in constant time.
    func judge(_ address: String) -> RedirectJudgement

    /// Sends the code once (oauth section 6.6). Throws `noAnswer` where it may have been used up, `refused` where the
    /// issuer did not accept it. `client`: the one of this attempt, as it proves itself.
    func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant
}

/// The verdict on an address that the browser was led to.
package enum RedirectJudgement: Sendable {
    /// Not our redirect address, or a `state` that is not ours: any page can send one. The wait goes on.
    case notOurs
    /// The issuer said no. The wait ends.
    case refused(Rejection)
    /// It fits our `state` and contradicts the rest (`iss` missing or of another issuer, no code, a parameter twice). The wait ends
    /// and nothing is sent.
    case contradiction(reason: String)
    case code(any Secret)
}

/// The parts of a request to the token endpoint besides the refresh token.
package struct RefreshRequest: Sendable, Equatable {
    /// Nil asks for the scopes that were granted before.
    package var scopes: Scopes?
    package var resources: [ResourceIndicator]
    package var resourceParameter: IssuerExtras.ResourceParameter

    package init(
        scopes: Scopes? = nil, resources: [ResourceIndicator] = [],
        resourceParameter: IssuerExtras.ResourceParameter = .resource
    ) {
        self.scopes = scopes
        self.resources = resources
        self.resourceParameter = resourceParameter
    }
}

package enum RevocableToken: String, Sendable, Codable {
    case access = "access_token"
    case refresh = "refresh_token"
}

extension IssuerService {
    /// As this issuer is called: trusting the authorities that its session was signed in with.
    package func calling(_ issuer: IssuerMetadata) -> any IssuerService { issuer.authorities.map(trusting) ?? self }

    /// As `discover(_:issuer:)`, where none was chosen.
    package func discover(_ target: WebAddress) async throws(IssuerError) -> DiscoveredIssuer {
        try await discover(target, issuer: nil)
    }
}
