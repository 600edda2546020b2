import Basics
package import FoundationEssentials

/// Our own id of a site: eight hexadecimal digits.
package struct SiteID: TextValue, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// Which session's token goes with requests to a service (oauth section 4.2).
package struct Site: Sendable, Equatable, Codable {
    package let id: SiteID
    package let rule: SiteRule
    package let session: SessionID
    /// The scopes of the token; nil for all that the session was granted.
    package var scopes: Scopes?
    /// The service that the token is asked for, one of the session's; nil for all of them.
    package var resource: ResourceIndicator?
    /// Whether only a request that was answered with a challenge gets the token. Always true for a host.
    package var isOnChallenge: Bool
    /// The `realm` that the challenge must have.
    package var realm: String?
    /// The user name where the token is sent as a password; nil for the usual one.
    package var userName: String?
    package var proof: Proof
    package var createdAt: Date

    /// The source of the claim that the service belongs to the session's issuer.
    package enum Proof: String, Sendable, Codable {
        /// The service itself (RFC 9728).
        case metadata
        /// The person, where the service says nothing.
        case person
    }

    package init(
        id: SiteID, rule: SiteRule, session: SessionID, scopes: Scopes? = nil, resource: ResourceIndicator? = nil,
        isOnChallenge: Bool = false, realm: String? = nil, userName: String? = nil, proof: Proof, at date: Date
    ) {
        self.id = id
        self.rule = rule
        self.session = session
        self.scopes = scopes
        self.resource = resource
        if case .host = rule { self.isOnChallenge = true } else { self.isOnChallenge = isOnChallenge }
        self.realm = realm
        self.userName = userName
        self.proof = proof
        createdAt = date
    }
}
