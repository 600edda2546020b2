public import Basics
public import FoundationEssentials

/// An issuer's description of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), read and checked:
/// `issuer` is the identifier that was asked for, endpoints are addresses that we would call. Lists are nil where the
/// issuer does not have them; text in them is untrusted.
public struct IssuerMetadata: Sendable, Equatable, Codable {
    public var issuer: Issuer
    public var authorizationEndpoint: WebAddress
    public var tokenEndpoint: WebAddress
    public var registrationEndpoint: WebAddress?
    public var revocationEndpoint: WebAddress?
    public var pushedAuthorizationRequestEndpoint: WebAddress?
    /// RFC 8628 section 4.
    public var deviceAuthorizationEndpoint: WebAddress?
    /// OpenID Connect Core 1.0 section 5.3.
    public var userInfoEndpoint: WebAddress?
    /// A page (OpenID Connect RP-Initiated Logout 1.0 section 2).
    public var endSessionEndpoint: WebAddress?
    public var keys: WebAddress?
    /// Endpoints that the issuer names and that cannot be called: the text of each, by its name in the metadata. Nil if
    /// there are none: they matter only if they are needed.
    public var unusableEndpoints: [String: BankText]?
    public var scopesSupported: [String]?
    public var tokenEndpointAuthMethods: [String]?
    public var revocationEndpointAuthMethods: [String]?
    public var idTokenAlgorithms: [String]?
    /// Whether authorization requests must be pushed (RFC 9126 section 5).
    public var requiresPushedRequests = false
    /// Whether each redirect names the issuer (RFC 9207 section 3). A redirect that names an issuer is checked in any case.
    public var namesIssuerInRedirect = false
    /// When it was fetched.
    public var fetchedAt: Date
    /// The certificate authorities that were trusted besides the system's when the person signed in: they are trusted in each later
    /// call for the session.
    public var authorities: AuthorityBundle?

    public init(
        issuer: Issuer, authorizationEndpoint: WebAddress, tokenEndpoint: WebAddress, fetchedAt: Date
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.fetchedAt = fetchedAt
    }

    /// Whether the issuer speaks OpenID Connect: then a login asks for an ID token. If `scopes_supported` is missing (it is only
    /// recommended), the keys decide: an issuer without keys cannot sign an ID token.
    public var speaksOpenID: Bool { scopesSupported?.contains("openid") ?? (keys != nil) }

    /// Why an endpoint is not there, for a login that needs it: `missing`, or that the issuer's text cannot be called.
    public func words(for endpoint: String, missing: String) -> String {
        guard let told = unusableEndpoints?[endpoint] else { return missing }
        return "the issuer's \(endpoint) is \(IssuerError.quoted(told.untrusted)), which is no address that is called"
    }

    /// The hosts of a login and of every later call, by the data that they get.
    public var hosts: IssuerHosts {
        let (page, tokens) = (authorizationEndpoint.hostForPeople, tokenEndpoint.hostForPeople)
        var others: [String] = []
        for address in [
            revocationEndpoint, registrationEndpoint, pushedAuthorizationRequestEndpoint, deviceAuthorizationEndpoint,
            userInfoEndpoint, endSessionEndpoint, keys,
        ] {
            guard let host = address?.hostForPeople, ![issuer.host, page, tokens].contains(host), !others.contains(host)
            else { continue }
            others.append(host)
        }
        return IssuerHosts(
            issuer: issuer.host, page: page, tokens: tokens, others: others,
            isPageUnproven: page != issuer.host && !namesIssuerInRedirect)
    }
}

/// Where a login leads and where its secrets go. An issuer may name another issuer's page and its own token endpoint,
/// to get the codes of the other issuer (RFC 9700 section 4.4), so the person sees each host.
public struct IssuerHosts: Sendable, Equatable {
    /// The host in the issuer's name.
    public var issuer: String
    /// Where the person signs in.
    public var page: String
    /// Where codes and tokens go.
    public var tokens: String
    /// Other hosts that are called: for revocation, registration, pushed requests, codes of devices, UserInfo, the page that signs
    /// out, and keys.
    public var others: [String]
    /// Whether the page is at another host than the issuer, and its answer will not prove that it is the issuer's.
    public var isPageUnproven: Bool
}
