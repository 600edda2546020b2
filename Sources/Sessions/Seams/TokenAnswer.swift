public import Basics

/// What became of one refresh token that was sent, told apart by what may have happened to it (design 7.5, issuers-seen 1).
public enum TokenAnswer: Sendable {
    /// A whole answer of status 200 with an access token of any type.
    case granted(TokenGrant)
    /// A definite no. What it means for the session is its `kind`.
    case rejected(Rejection)
    /// 429, 503, or 502 and 504 with `Retry-After`: not taken, to be asked later. `retryAfter` in seconds, where it was said.
    case later(reason: String, retryAfter: Int64?)
    /// Nothing was sent: no connection, no name, no TLS. The token is unspent.
    case notSent(reason: String)
    /// It was sent and no answer came that says anything: none at all, one cut short, 500, 502 and 504 without `Retry-After`, a
    /// 200 that is malformed, too large, or has neither an access token nor an `error`. The token may be spent.
    case noAnswer(reason: String)
}

/// An issuer's no: which kind it is for us, and the issuer's words, which are untrusted.
public struct Rejection: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// `invalid_grant`: what was presented (code, refresh token) is not good any more.
        case grant
        /// 400 with nothing in it that says why. One real issuer says so that a refresh token is dead, and that it does not know
        /// the client.
        case unexplained
        /// `invalid_client`, `unauthorized_client`, and 401 without a word: this program is not known any more, or may not do this.
        case client
        /// `invalid_scope`.
        case scope
        /// `invalid_target` (RFC 8707 section 2).
        case target
        /// `access_denied`: the person or the issuer said no on the issuer's page.
        case denied
        /// `interaction_required`, `login_required`, `consent_required`, `account_selection_required`: a person must use the page.
        case needsPerson
        /// `unmet_authentication_requirements`: not as strongly as asked.
        case tooWeak
        /// `server_error`, `temporarily_unavailable`: the issuer has a problem.
        case unavailable
        /// A redirect, which is not followed.
        case redirect
        /// Everything else.
        case other
    }

    public var kind: Kind
    /// `error`.
    public var word: BankText?
    /// `error_description`.
    public var text: BankText?
    /// HTTP's status; nil for what came in a redirect.
    public var status: Int?

    public init(_ kind: Kind, word: BankText? = nil, text: BankText? = nil, status: Int? = nil) {
        self.kind = kind
        self.word = word
        self.text = text
        self.status = status
    }
}
