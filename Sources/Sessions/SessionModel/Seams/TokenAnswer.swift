package import Basics

/// The result of sending one refresh token. The cases differ by the possible fate of the token (oauth sections 7.5 and
/// 9.2).
package enum TokenAnswer: Sendable {
    /// A whole answer that reports success, with an access token of any type.
    case granted(TokenGrant)
    /// A definite no. Its `kind` decides about the session.
    case rejected(Rejection)
    /// 429, 503, or 502 and 504 with `Retry-After`: not taken, ask again later. `retryAfter`: in seconds, if the issuer said so.
    case later(reason: String, retryAfter: Int64?)
    /// Nothing was sent: no connection, no name, no TLS. The token is unspent.
    case notSent(reason: String, obstacle: CallError.Obstacle? = nil)
    /// A whole answer that reports success and brings no access token that can be used. The token may be spent.
    case unusable(UnusableAnswer)
    /// It was sent and no whole answer came: none at all, one cut short or too large, 500, 502 and 504 without `Retry-After`. The token
    /// may be spent.
    case noAnswer(reason: String)
}

/// An answer that reports success and brings no access token.
package struct UnusableAnswer: Sendable {
    /// In our own words.
    package var reason: String
    /// A refresh token that came all the same. It replaces the refresh token that was sent.
    package var refreshToken: (any Secret)?
    /// Whether it comes from the issuer, and not from a system in front of it, like the page of a hotel's network.
    package var isOfIssuer: Bool

    package init(reason: String, refreshToken: (any Secret)?, isOfIssuer: Bool) {
        self.reason = reason
        self.refreshToken = refreshToken
        self.isOfIssuer = isOfIssuer
    }
}
