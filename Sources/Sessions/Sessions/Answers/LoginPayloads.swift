package import Basics
import Display
package import SessionModel

/// The terms that the person must agree to before anything is made at an issuer.
package struct LoginOfferPayload: Codable, Sendable, Equatable {
    /// Where a login leads and where its secrets go.
    package struct Hosts: Codable, Sendable, Equatable {
        package var issuer: String
        /// Where the person signs in.
        package var page: String
        /// Where codes and tokens go.
        package var tokens: String
        /// Other hosts that are called.
        package var others: [String]
        /// Whether the page is at another host than the issuer, and its answer will not prove that it is the issuer's.
        package var pageUnproven: Bool
    }

    /// The issuer's identifier, as it is written.
    package var issuer: String
    package var hosts: Hosts
    /// Null if this program registers itself.
    @OrNull package var client: String?
    /// The redirect address that must be used; one without a port stands for any port. Null if it is free.
    @OrNull package var redirectUri: String?
    /// Whether another redirect address does as well.
    package var mayMove: Bool
    package var scopes: [String]
    package var resources: [String]
    /// The session that is signed in to again.
    @OrNull package var session: String?

    package init(_ offer: LoginOffer) {
        func line(_ text: String) -> String { DisplayText(text).line }
        issuer = offer.issuer.text
        hosts = Hosts(
            issuer: line(offer.hosts.issuer), page: line(offer.hosts.page), tokens: line(offer.hosts.tokens),
            others: offer.hosts.others.map(line), pageUnproven: offer.hosts.isPageUnproven)
        client = offer.client.map { DisplayText($0).line }
        redirectUri = offer.redirectURI
        mayMove = offer.mayMove
        scopes = offer.scopes.all
        resources = offer.resources.map(\.text)
        session = offer.again?.text
    }
}

/// A login that was begun.
package struct OpenLogin: Codable, Sendable, Equatable {
    package var id: String
    package var offer: LoginOfferPayload

    package init(id: String, offer: LoginOfferPayload) {
        self.id = id
        self.offer = offer
    }
}

/// The person's next step: sign in on a page, or enter a code on one.
package struct LoginNext: Codable, Sendable, Equatable {
    @OrNull package var page: String?
    @OrNull package var device: DeviceCodePayload?

    package init(page: WebAddress) {
        self.page = page.text
        device = nil
    }

    package init(device: DeviceCodePayload) {
        page = nil
        self.device = device
    }
}

/// The code of a device flow (RFC 8628 section 3.2).
package struct DeviceCodePayload: Codable, Sendable, Equatable {
    /// The code to enter.
    package var userCode: String
    /// Where to enter it.
    package var verificationUri: String
    /// The same page with the code in its address.
    @OrNull package var verificationUriComplete: String?
    /// For how many seconds the code is good.
    package var expiresIn: Int64

    package init(_ code: DeviceCode) {
        userCode = DisplayText(code.text).line
        verificationUri = code.page.text
        verificationUriComplete = code.wholePage?.text
        expiresIn = code.lifetime
    }
}

/// A session that a login made.
package struct SignedInPayload: Codable, Sendable, Equatable {
    package var session: SessionPayload
    /// A further note for the person; null if everything went as it should.
    @OrNull package var notice: String?
    /// Scopes that were asked for and not granted.
    package var notGranted: [String]
    /// The options with which a login may bring a session that renews by itself; null if it does, or if none are known.
    @OrNull package var renewalOptions: String?
    /// The service whose address the person gave, if it named the issuer and has no site.
    @OrNull package var service: String?

    init(
        _ session: SessionPayload, _ news: ProfileNews, askedFor: Scopes, renewalOptions: String?,
        namedBy: ResourceIndicator?
    ) {
        self.session = session
        self.renewalOptions = session.refreshable ? nil : renewalOptions
        // A refresh token means that `offline_access` was granted, even if the issuer does not list it: one does not.
        let granted = session.scopes + (session.refreshable ? ["offline_access"] : [])
        notGranted = askedFor.all.filter { !granted.contains($0) }
        service = namedBy?.text
        notice =
            switch news {
            case .none, .kept: nil
            case .ofAnother:
                "warning: the issuer's UserInfo is about somebody else than its ID token; nothing of it is kept"
            case .failed(let error): "Name and address could not be asked for: \(error.failure.message)"
            }
    }
}

/// Whether a login has ended. A failed login is reported as its failure.
package struct LoginVerdict: Codable, Sendable, Equatable {
    /// Null while the wait goes on.
    @OrNull package var signedIn: SignedInPayload?

    package init(_ signedIn: SignedInPayload?) { self.signedIn = signedIn }
}
