package import Basics
package import Keys

/// This program's registration at one issuer (RFC 6749 section 2, RFC 7591 section 3.2.1).
package struct ClientRegistration: Sendable, Codable {
    /// How the client authenticates at the token endpoint (RFC 6749 section 2.3.1). `public` sends `client_id` and no secret.
    package enum Authentication: String, Sendable, Codable {
        case `public` = "none"
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// `client_id`, as the issuer gave it: untrusted.
    package var id: BankText
    package var authentication: Authentication
    /// Nil exactly for a public client.
    package var secret: SecretSlot?
    /// A secret that the issuer gave although none was asked for. It is shown only if the issuer does not take the client without one.
    package var unaskedSecret: SecretSlot?
    /// The redirect address that the client was registered with, which a login must use: most issuers compare it with its port.
    /// One without a port stands for any port. Nil where the person did not say.
    package var redirectURI: String?
    /// Whether this program registered itself, and may do so again; otherwise the person named the client.
    package var isRegisteredHere: Bool
    /// Whether this program registered itself for the device flow, too.
    package var isForDevices: Bool {
        get { registeredForDevices ?? false }
        set { registeredForDevices = newValue }
    }
    // Earlier rows do not have it.
    private var registeredForDevices: Bool?
    /// Where the registration can be deleted (RFC 7592 section 2.3), and the token for it.
    package var management: Management?

    package struct Management: Sendable, Codable {
        package var address: WebAddress
        package var token: SecretSlot

        package init(address: WebAddress, token: SecretSlot) {
            self.address = address
            self.token = token
        }
    }

    package init(
        id: BankText, authentication: Authentication = .public, secret: SecretSlot? = nil, redirectURI: String? = nil,
        isRegisteredHere: Bool = false, management: Management? = nil
    ) {
        self.id = id
        self.authentication = authentication
        self.secret = secret
        self.redirectURI = redirectURI
        self.isRegisteredHere = isRegisteredHere
        self.management = management
    }
}

extension ClientRegistration {
    /// The same client, proving itself by the secret that it was given unasked. Nil if there is none.
    package func withUnaskedSecret(at issuer: IssuerMetadata) -> ClientRegistration? {
        guard authentication == .public, let given = unaskedSecret else { return nil }
        var client = self
        client.secret = given
        client.unaskedSecret = nil
        client.authentication = issuer.authenticationBySecret
        return client
    }
}

extension IssuerMetadata {
    /// How a client shows its secret, if nobody said.
    package var authenticationBySecret: ClientRegistration.Authentication {
        let methods = tokenEndpointAuthMethods ?? []
        return !methods.contains("client_secret_basic") && methods.contains("client_secret_post") ? .post : .basic
    }
}
