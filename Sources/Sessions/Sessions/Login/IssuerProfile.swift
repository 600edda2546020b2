/// An issuer as a person or an administrator describes it in a file, with a client and the scopes to ask for.
public struct IssuerProfile: Sendable {
    public var target: LoginWish.Target
    public var clientID: String?
    public var authentication: ClientRegistration.Authentication?
    /// The path of the file with the client's secret.
    public var secretFile: String?
    public var redirectURI: String?
    public var scopes: Scopes?
    public var resources: [ResourceIndicator] = []
    public var extras = IssuerExtras.none

    public init(_ target: LoginWish.Target) { self.target = target }
}
