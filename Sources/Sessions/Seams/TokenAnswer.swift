/// What became of one refresh token that was sent, told apart by what may have happened to it (design 7.5, issuers-seen 1).
public enum TokenAnswer: Sendable {
    /// A whole answer of status 200 with an access token of any type.
    case granted(TokenGrant)
    /// A definite no. Its `kind` says what it means for the session.
    case rejected(Rejection)
    /// 429, 503, or 502 and 504 with `Retry-After`: not taken, ask again later. `retryAfter`: in seconds, if the issuer said so.
    case later(reason: String, retryAfter: Int64?)
    /// Nothing was sent: no connection, no name, no TLS. The token is unspent.
    case notSent(reason: String)
    /// It was sent and no answer came that says anything: none at all, one cut short, 500, 502 and 504 without `Retry-After`, a
    /// 200 that is malformed, too large, or has neither an access token nor an `error`. The token may be spent.
    case noAnswer(reason: String)
}
