package import Basics

/// The request that begins a device flow.
package struct DeviceRequest: Sendable, Equatable {
    package var scopes: Scopes
    package var resources: [ResourceIndicator]
    package var extras: IssuerExtras

    package init(scopes: Scopes, resources: [ResourceIndicator] = [], extras: IssuerExtras = .none) {
        self.scopes = scopes
        self.resources = resources
        self.extras = extras
    }
}

/// The code and the page to show to the person (RFC 8628 section 3.2).
package struct DeviceCode: Sendable, Equatable {
    /// The code to enter: 1 to 64 bytes, the issuer's, untrusted.
    package var text: BankText
    /// Where to enter it.
    package var page: WebAddress
    /// The same page with the code in its address.
    package var wholePage: WebAddress?
    /// For how many seconds it is good.
    package var lifetime: Int64
    /// The least number of seconds between two polls.
    package var interval: Int64

    package init(text: BankText, page: WebAddress, wholePage: WebAddress?, lifetime: Int64, interval: Int64) {
        self.text = text
        self.page = page
        self.wholePage = wholePage
        self.lifetime = lifetime
        self.interval = interval
    }
}

/// One device flow under way. Its device code, which is secret, ends with this value. It has no nonce.
package protocol DeviceAttempt: GrantingAttempt {
    var code: DeviceCode { get }

    /// Asks once whether the person has entered the code (RFC 8628 section 3.4).
    func poll() async -> DeviceAnswer
}

/// The result of one poll (RFC 8628 section 3.5).
package enum DeviceAnswer: Sendable {
    case granted(TokenGrant)
    case pending
    case slowDown
    /// The code is over.
    case expired
    /// Another definite no.
    case rejected(Rejection)
    /// The issuer could not be reached, or has no time: not before `retryAfter` seconds, where it said so.
    case later(retryAfter: Int64?)
    /// The issuer's answer reports success and brings no token that can be used.
    case unusable(reason: String)
    /// It was sent and no answer came: the tokens may be lost, at an issuer that gives them once.
    case noAnswer
}
