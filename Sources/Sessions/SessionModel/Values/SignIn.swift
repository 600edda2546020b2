public import FoundationEssentials

/// A session: the result of one login at one issuer, except its tokens, which change on their own (`TokenSet`).
public struct SignIn: Sendable, Codable {
    public let id: SessionID
    public var name: SessionName
    public var issuer: IssuerMetadata
    public var client: ClientRegistration
    /// The scopes that the login asked for.
    public var asked: Scopes
    /// The scopes that the issuer granted.
    public var granted: Scopes
    public var resources: [ResourceIndicator]
    /// Nil where the issuer does not speak OpenID Connect.
    public var identity: Identity?
    public var createdAt: Date
    /// When the person signed in last.
    public var updatedAt: Date
    /// Additions that the issuer needs in requests but does not publish.
    public var extras: IssuerExtras {
        get { ownExtras ?? .none }
        set { ownExtras = newValue }
    }
    /// When the person signed in last, by both clocks.
    public var signedInAt: Moment {
        get { ownSignedInAt ?? Moment(wall: updatedAt, boot: nil) }
        set { ownSignedInAt = newValue }
    }
    /// When it is to be signed out, by the person's word; nil where only the settings say so.
    public var signOut: SignOutOrder?
    /// Whether it stays signed in at every time and event that would end it.
    public var isKept: Bool {
        get { ownKeep ?? false }
        set { ownKeep = newValue }
    }
    /// When a renewal last read the issuer's description of itself.
    var issuerAskedAt: Date?
    // Earlier rows do not have these.
    private var ownExtras: IssuerExtras?
    private var ownSignedInAt: Moment?
    private var ownKeep: Bool?

    public init(
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
