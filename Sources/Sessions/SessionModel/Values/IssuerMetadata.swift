package import Basics
package import FoundationEssentials

/// An issuer's description of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), read and checked:
/// `issuer` is the identifier that was asked for, endpoints are addresses that we would call. Lists are nil where the
/// issuer does not have them; text in them is untrusted.
package struct IssuerMetadata: Sendable, Equatable, Codable {
    package var issuer: Issuer
    package var authorizationEndpoint: WebAddress
    package var tokenEndpoint: WebAddress
    package var registrationEndpoint: WebAddress?
    package var revocationEndpoint: WebAddress?
    package var pushedAuthorizationRequestEndpoint: WebAddress?
    /// RFC 8628 section 4.
    package var deviceAuthorizationEndpoint: WebAddress?
    /// OpenID Connect Core 1.0 section 5.3.
    package var userInfoEndpoint: WebAddress?
    /// A page (OpenID Connect RP-Initiated Logout 1.0 section 2).
    package var endSessionEndpoint: WebAddress?
    package var keys: WebAddress?
    /// Endpoints that the issuer names and that cannot be called: the text of each, by its name in the metadata. Nil if
    /// there are none: they matter only if they are needed.
    package var unusableEndpoints: [String: BankText]?
    package var scopesSupported: [String]?
    package var tokenEndpointAuthMethods: [String]?
    package var revocationEndpointAuthMethods: [String]?
    package var idTokenAlgorithms: [String]?
    /// Whether authorization requests must be pushed (RFC 9126 section 5).
    package var requiresPushedRequests = false
    /// Whether each redirect names the issuer (RFC 9207 section 3). A redirect that names an issuer is checked in any case.
    package var namesIssuerInRedirect = false
    /// When it was fetched.
    package var fetchedAt: Date
    /// The certificate authorities that were trusted besides the system's when the person signed in: they are trusted in each later
    /// call for the session.
    package var authorities: AuthorityBundle?

    package init(
        issuer: Issuer, authorizationEndpoint: WebAddress, tokenEndpoint: WebAddress, fetchedAt: Date
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.fetchedAt = fetchedAt
    }

    /// Whether the issuer speaks OpenID Connect: then a login asks for an ID token. If `scopes_supported` is missing (it is only
    /// recommended), the keys decide: an issuer without keys cannot sign an ID token.
    package var speaksOpenID: Bool { scopesSupported?.contains("openid") ?? (keys != nil) }

    /// Why an endpoint is not there, for a login that needs it: `missing`, or that the issuer's text cannot be called.
    package func words(for endpoint: String, missing: String) -> String {
        guard let told = unusableEndpoints?[endpoint] else { return missing }
        return "the issuer's \(endpoint) is \(IssuerError.quoted(told.untrusted)), which is no address that is called"
    }

    /// The hosts of a login and of every later call, by the data that they get.
    package var hosts: IssuerHosts {
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
package struct IssuerHosts: Sendable, Equatable {
    /// The host in the issuer's name.
    package var issuer: String
    /// Where the person signs in.
    package var page: String
    /// Where codes and tokens go.
    package var tokens: String
    /// Other hosts that are called: for revocation, registration, pushed requests, codes of devices, UserInfo, the page that signs
    /// out, and keys.
    package var others: [String]
    /// Whether the page is at another host than the issuer, and its answer will not prove that it is the issuer's.
    package var isPageUnproven: Bool
}
