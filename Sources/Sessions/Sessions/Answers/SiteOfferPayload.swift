public import Basics
import Display

/// A site that may be bound, for the card that a person reads before the PIN. Safe to show.
public struct SiteOfferPayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        /// Its prefix or host, as the person gave it.
        public var rule: String
        /// The name of its session.
        public var session: String
        /// The account's name for the person; null where the issuer does not speak OpenID Connect.
        @OrNull public var account: String?
        /// The issuer's host.
        public var issuer: String
        public var scopes: [String]
        @OrNull public var resource: String?
        public var onChallenge: Bool
        @OrNull public var realm: String?
        @OrNull public var username: String?
        /// `metadata` or `person`, as in `SitePayload`.
        public var verified: String
    }

    public var offer: Content

    public init(_ offer: Sites.Offer) {
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
    public var proof: Site.Proof { offer.verified == Site.Proof.metadata.rawValue ? .metadata : .person }
}
