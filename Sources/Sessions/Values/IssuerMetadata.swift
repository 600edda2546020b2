public import Basics
public import FoundationEssentials

/// What an issuer says of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), read and checked: `issuer` is the
/// identifier that was asked for, endpoints are addresses that we would call. Lists are nil where the issuer does not have them;
/// text in them is untrusted.
public struct IssuerMetadata: Sendable, Equatable, Codable {
    public var issuer: Issuer
    public var authorizationEndpoint: WebAddress
    public var tokenEndpoint: WebAddress
    public var registrationEndpoint: WebAddress?
    public var revocationEndpoint: WebAddress?
    public var endSessionEndpoint: WebAddress?
    public var userinfoEndpoint: WebAddress?
    public var deviceAuthorizationEndpoint: WebAddress?
    public var pushedAuthorizationRequestEndpoint: WebAddress?
    public var keys: WebAddress?
    public var scopesSupported: [String]?
    public var tokenEndpointAuthMethods: [String]?
    public var idTokenAlgorithms: [String]?
    /// Whether authorization requests must be pushed (RFC 9126 section 5).
    public var requiresPushedRequests = false
    /// Whether each redirect names the issuer (RFC 9207 section 3). One that names an issuer is checked in any case.
    public var namesIssuerInRedirect = false
    /// When it was fetched.
    public var fetchedAt: Date

    public init(
        issuer: Issuer, authorizationEndpoint: WebAddress, tokenEndpoint: WebAddress, fetchedAt: Date
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.fetchedAt = fetchedAt
    }

    /// Whether the issuer speaks OpenID Connect: then a login asks for an ID token. Nothing is known where `scopes_supported`
    /// is missing (it is only recommended); an issuer without keys cannot sign an ID token.
    public var speaksOpenID: Bool { scopesSupported?.contains("openid") ?? (keys != nil) }

    /// The hosts that a login and every later call go to, each once, the issuer's first.
    public var hosts: [String] {
        var hosts = [issuer.host]
        for address in [authorizationEndpoint, tokenEndpoint] where !hosts.contains(address.hostForPeople) {
            hosts.append(address.hostForPeople)
        }
        return hosts
    }
}
