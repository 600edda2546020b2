package import Basics
import Display
package import SessionModel

/// A site that may be bound, for the card that a person reads before the PIN. Safe to show.
package struct SiteOfferPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        /// Its prefix or host, as the person gave it.
        package var rule: String
        /// The name of its session.
        package var session: String
        /// The account's name for the person; null where the issuer does not speak OpenID Connect.
        @OrNull package var account: String?
        /// The issuer's host.
        package var issuer: String
        package var scopes: [String]
        @OrNull package var resource: String?
        package var onChallenge: Bool
        @OrNull package var realm: String?
        @OrNull package var username: String?
        /// `metadata` or `person`, as in `SitePayload`.
        package var verified: String
    }

    package var offer: Content

    package init(_ offer: Sites.Offer) {
        let site = SitePayload(offer.site, of: offer.session)
        self.offer = Content(
            rule: offer.site.rule.text, session: site.session, issuer: offer.session.issuer.issuer.host,
            scopes: site.scopes, onChallenge: site.onChallenge, verified: site.verified)
        self.offer.account = offer.session.identity.map { DisplayText($0.account).line }
        self.offer.resource = site.resource
        self.offer.realm = site.realm
        self.offer.username = site.username
    }

    /// The source of the claim that the service belongs to the session's issuer.
    package var proof: Site.Proof { offer.verified == Site.Proof.metadata.rawValue ? .metadata : .person }
}
