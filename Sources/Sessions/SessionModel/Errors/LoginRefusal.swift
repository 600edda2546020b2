import Basics
import Display

/// An issuer's refusal of a login, with the login's request, so that the hint can name the option to change (oauth
/// sections 6.8, 7.5).
package struct LoginRefusal: Sendable {
    package var rejection: Rejection
    var issuer: IssuerMetadata
    /// Nil where this program was to be registered.
    var client: BankText?
    var authentication: ClientRegistration.Authentication
    /// Whether this program registered itself as that client.
    var isRegisteredHere: Bool
    /// Whether no session ever used that client: then another registration would be refused as well.
    var isUnproven: Bool
    var scopes: Scopes
    var resources: [ResourceIndicator]
    /// The session that was signed in to again.
    var again: SessionName?

    /// `client`: nil where this program was to be registered. The rest is of the login that was refused.
    package init(
        _ rejection: Rejection, issuer: IssuerMetadata, client: ClientRegistration?, isUnproven: Bool, scopes: Scopes,
        resources: [ResourceIndicator], again: SessionName?
    ) {
        (self.rejection, self.issuer, self.client) = (rejection, issuer, client?.id)
        authentication = client?.authentication ?? .public
        isRegisteredHere = client?.isRegisteredHere ?? false
        (self.isUnproven, self.scopes, self.resources, self.again) = (isUnproven, scopes, resources, again)
    }

    var failure: Failure {
        let (kind, cause, hint) = words
        return Failure(kind, cause + rejection.said, hint: hint)
    }

    private var words: (Failure.Kind, cause: String, hint: String) {
        guard client != nil || rejection.kind == .unavailable else {
            return (
                .refused, "the issuer does not register this program",
                CommandWords.registering(then: login)
            )
        }
        return switch rejection.kind {
        case .grant: (.refused, "the code was not accepted", "sign in again: \(login)")
        case .unexplained: (.refused, "the issuer refuses without saying why", "\(doctor); or sign in again: \(login)")
        case .client: (.refused, "the client \(shownClient) may not sign in this way, or is not known", clientHint)
        case .scope:
            (.refused, "the issuer does not know or grant one of these scopes: \(Self.listed(scopes.all))", scopeHint)
        case .target:
            (
                .refused, "the issuer gives no tokens for one of these services: \(Self.listed(resources.map(\.text)))",
                "\(login), with other services: --resource"
            )
        case .denied: (.refused, "the sign-in was refused on the issuer's page", login)
        case .needsPerson: (.signedOut, "the issuer wants you to sign in on its page", login)
        case .tooWeak:
            (.refused, "the issuer cannot sign you in as strongly as asked", "\(login), without --acr")
        case .unavailable: (.unreachable, "the issuer has a problem", "try again later: \(login)")
        case .redirect: (.refused, "the issuer answered with a redirect, which is not followed", doctor)
        case .other where rejection.blamesRequest:
            (.refused, "the issuer does not take this request", "\(doctor); --verbose names each call")
        case .other: (.refused, "the issuer refuses this sign-in", "--verbose names each call; \(doctor)")
        }
    }

    private var login: String { again.map(CommandWords.login) ?? CommandWords.login(issuer.issuer) }
    private var doctor: String { CommandWords.doctor(issuer.issuer) }
    private var shownClient: String { DisplayText(client ?? BankText("")).line(within: 60) }

    private var scopeHint: String {
        let known = issuer.scopesSupported.map { "; it lists: \(Self.listed($0))" } ?? ""
        return "ask for others: \(login) --scope SCOPE\(known)"
    }

    private var clientHint: String {
        // A redirect proves too little to drop a registration.
        if isRegisteredHere, rejection.status != nil {
            return isUnproven
                ? "register a client with a secret there, then: \(login) --client-id ID --redirect-uri URI --client-secret-file PATH"
                : "the next login registers this program anew: \(login)"
        }
        let register = "register it there for this, or name another one: \(login) --client-id ID --redirect-uri URI"
        guard let listed = issuer.tokenEndpointAuthMethods, !listed.contains(authentication.rawValue) else {
            return register
        }
        return authentication == .public
            ? "\(register); the issuer lists no clients without a secret: --client-secret-file"
            : "\(register); the issuer does not list this client's way to prove itself (client_auth)"
    }

    private static func listed(_ words: [String]) -> String {
        words.isEmpty ? "none" : DisplayText(words.joined(separator: " ")).line(within: 200)
    }
}

extension Rejection {
    /// Whether the word is about how the request was made (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 1.0 section 3.1.2.6).
    var blamesRequest: Bool {
        switch word?.untrusted {
        case "invalid_request", "unsupported_response_type", "unsupported_grant_type", "invalid_request_uri",
            "invalid_request_object", "request_not_supported", "request_uri_not_supported",
            "registration_not_supported":
            true
        default: false
        }
    }

    /// The issuer's words, made safe and marked as such. A page that it names is shown and never opened.
    var said: String {
        var parts = [word, text].compactMap(\.self).filter { !$0.untrusted.isEmpty }
            .map { DisplayText($0).line(within: 200) }
        parts = parts.isEmpty ? [] : ["the issuer says: " + parts.joined(separator: ": ")]
        if let page, !page.untrusted.isEmpty {
            parts.append("it names a page about this: \(DisplayText(page).line(within: 200))")
        }
        if parts.isEmpty { return status.map { " (HTTP \($0))" } ?? "" }
        return " (\(parts.joined(separator: "; ")))"
    }
}
