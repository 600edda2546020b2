package import SessionModel

/// An issuer as a person or an administrator describes it in a file, with a client and the scopes to ask for.
package struct IssuerProfile: Sendable {
    package var target: LoginWish.Target
    package var clientID: String?
    package var authentication: ClientRegistration.Authentication?
    /// The path of the file with the client's secret.
    package var secretFile: String?
    package var redirectURI: String?
    package var scopes: Scopes?
    package var resources: [ResourceIndicator] = []
    package var extras = IssuerExtras.none

    package init(_ target: LoginWish.Target) { self.target = target }
}
