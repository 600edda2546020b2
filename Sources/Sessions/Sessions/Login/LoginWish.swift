package import Basics
package import Keys
package import SessionModel

/// A person's wishes for a login.
package struct LoginWish: Sendable {
    package enum Target: Sendable {
        /// An issuer, or a resource that names one.
        case address(WebAddress)
        /// A session that is signed in to again. The same account must sign in.
        case session(SignIn)
        /// An issuer whose metadata the person wrote down. Nothing is looked up.
        case described(IssuerMetadata)

        /// Nil unless a session is signed in to again.
        var session: SignIn? { if case .session(let session) = self { session } else { nil } }
    }

    package var target: Target
    /// The issuer to choose where the target is a resource that names several.
    package var issuer: Issuer?
    /// Nil makes a name from the issuer's host.
    package var name: SessionName?
    /// A client that the person registered. Nil lets this program register itself.
    package var client: Client?
    /// Nil: `openid profile email` where the issuer speaks OpenID Connect, and else none. A session that is signed in to again
    /// keeps its own.
    package var scopes: Scopes?
    /// In addition to the resource that named the issuer.
    package var resources: [ResourceIndicator] = []
    /// `login_hint`.
    package var account: String?
    /// Asks for `offline_access`, with which some issuers make sessions that outlive a sign-out in the browser.
    package var isOffline = false
    /// The person must sign in now, even if the issuer's page remembers an earlier sign-in.
    package var isFresh = false
    /// Questions that the issuer's page must ask at this login, besides those in `extras`.
    package var prompts: [LoginPrompt] = []
    /// How long ago the person may have signed in at the issuer, in seconds.
    package var maxAge: Int?
    package var acrValues: [String] = []
    /// Whether the person enters a code on a page of the issuer, in place of a browser that is led back here (RFC 8628).
    package var isForDevice = false
    /// The languages for the issuer's page.
    package var languages = LanguageTags.none
    /// Further needs of the issuer. Nil: none, or those of the session that is signed in to again.
    package var extras: IssuerExtras?

    /// When to sign the session out. Nil: a session that is signed in to again keeps its rule, counted anew.
    package var signOut: SignOutRule?
    /// Whether the session stays signed in at every time and event that would end it. Nil: as before.
    package var keep: Bool?

    package struct Client: Sendable {
        package var id: BankText
        package var secret: SecretSlot?
        /// How the client authenticates at the token endpoint; nil chooses from the methods that the issuer offers.
        package var authentication: ClientRegistration.Authentication?
        /// The address that it is registered with; one without a port stands for any port.
        package var redirectURI: String?

        package init(
            id: BankText, secret: SecretSlot? = nil, authentication: ClientRegistration.Authentication? = nil,
            redirectURI: String? = nil
        ) {
            self.id = id
            self.secret = secret
            self.authentication = authentication
            self.redirectURI = redirectURI
        }
    }

    package init(_ target: Target) { self.target = target }
}

/// The terms that the person must agree to before anything is made at an issuer.
package struct LoginOffer: Sendable {
    package var issuer: Issuer
    package var hosts: IssuerHosts
    /// Nil if this program registers itself.
    package var client: BankText?
    /// The redirect address that must be used; one without a port stands for any port. Nil if it is free.
    package var redirectURI: String?
    /// Whether another redirect address does as well, since this program can register itself with it.
    package var mayMove: Bool
    package var scopes: Scopes
    package var resources: [ResourceIndicator]
    /// The session that is signed in to again.
    package var again: SessionName?
}
