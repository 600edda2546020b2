package import Basics
package import FoundationEssentials

/// How an access token is presented (`token_type`, RFC 6749 section 7.1), compared without case.
package enum TokenType: Sendable, Equatable, Codable {
    case bearer
    /// A type that this program does not speak; the issuer's word. Such a token is kept and never handed out.
    case other(BankText)
}

/// The answer of the token endpoint (RFC 6749 section 5.1), well-formed and not yet judged: the ID token in it is not
/// validated.
package struct TokenGrant: Sendable {
    package var accessToken: any Secret
    package var type: TokenType
    /// `expires_in`, in seconds; nil where the issuer did not say. Never less than 1.
    package var lifetime: Int64?
    /// Nil if none came: then a new session has none, and a renewed one keeps its old one.
    package var refreshToken: (any Secret)?
    package var idToken: (any Secret)?
    /// Nil if the issuer did not say: then as asked (RFC 6749 section 5.1).
    package var scopes: Scopes?
    /// The `Date` header of this very answer, by which the ID token's times are judged.
    package var serverTime: Date?

    package init(
        accessToken: any Secret, type: TokenType, lifetime: Int64? = nil, refreshToken: (any Secret)? = nil,
        idToken: (any Secret)? = nil, scopes: Scopes? = nil, serverTime: Date? = nil
    ) {
        self.accessToken = accessToken
        self.type = type
        self.lifetime = lifetime
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scopes = scopes
        self.serverTime = serverTime
    }
}
