package import FoundationEssentials

/// A session: the result of one login at one issuer, except its tokens, which change on their own (`TokenSet`).
package struct SignIn: Sendable, Codable {
    package let id: SessionID
    package var name: SessionName
    package var issuer: IssuerMetadata
    package var client: ClientRegistration
    /// The scopes that the login asked for.
    package var asked: Scopes
    /// The scopes that the issuer granted.
    package var granted: Scopes
    package var resources: [ResourceIndicator]
    /// Nil where the issuer does not speak OpenID Connect.
    package var identity: Identity?
    package var createdAt: Date
    /// When the person signed in last.
    package var updatedAt: Date
    /// Additions that the issuer needs in requests but does not publish.
    package var extras: IssuerExtras {
        get { ownExtras ?? .none }
        set { ownExtras = newValue }
    }
    /// When the person signed in last, by both clocks.
    package var signedInAt: Moment {
        get { ownSignedInAt ?? Moment(wall: updatedAt, boot: nil) }
        set { ownSignedInAt = newValue }
    }
    /// When it is to be signed out, by the person's word; nil where only the settings say so.
    package var signOut: SignOutOrder?
    /// Whether it stays signed in at every time and event that would end it.
    package var isKept: Bool {
        get { ownKeep ?? false }
        set { ownKeep = newValue }
    }
    /// When a renewal last read the issuer's description of itself.
    package var issuerAskedAt: Date?
    // Earlier rows do not have these.
    private var ownExtras: IssuerExtras?
    private var ownSignedInAt: Moment?
    private var ownKeep: Bool?

    package init(
        id: SessionID, name: SessionName, issuer: IssuerMetadata, client: ClientRegistration, asked: Scopes,
        granted: Scopes, resources: [ResourceIndicator], identity: Identity?, at date: Date
    ) {
        self.id = id
        self.name = name
        self.issuer = issuer
        self.client = client
        self.asked = asked
        self.granted = granted
        self.resources = resources
        self.identity = identity
        createdAt = date
        updatedAt = date
    }
}
