package import Basics

/// An issuer's no: which kind it is for us, and the issuer's words, which are untrusted.
package struct Rejection: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// `invalid_grant`: the code or refresh token is not good any more.
        case grant
        /// 400 without a reason. One real issuer answers so if a refresh token is dead, and also if it does not know the client.
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

    package var kind: Kind
    /// `error`.
    package var word: BankText?
    /// `error_description`.
    package var text: BankText?
    /// `error_uri`: a page of the issuer about the error. It is shown and never opened.
    package var page: BankText?
    /// HTTP's status; nil for a rejection in a redirect.
    package var status: Int?

    package init(
        _ kind: Kind, word: BankText? = nil, text: BankText? = nil, page: BankText? = nil, status: Int? = nil
    ) {
        self.kind = kind
        self.word = word
        self.text = text
        self.page = page
        self.status = status
    }
}
