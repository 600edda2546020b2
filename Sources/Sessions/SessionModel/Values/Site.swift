public import Basics
public import FoundationEssentials

/// Our own id of a site: eight hexadecimal digits.
public struct SiteID: TextValue, Comparable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// Which session's token goes with requests to a service (oauth section 4.2).
public struct Site: Sendable, Equatable, Codable {
    public let id: SiteID
    public let rule: SiteRule
    public let session: SessionID
    /// The scopes of the token; nil for all that the session was granted.
    public var scopes: Scopes?
    /// The service that the token is asked for, one of the session's; nil for all of them.
    public var resource: ResourceIndicator?
    /// Whether only a request that was answered with a challenge gets the token. Always true for a host.
    public var isOnChallenge: Bool
    /// The `realm` that the challenge must have.
    public var realm: String?
    /// The user name where the token is sent as a password; nil for the usual one.
    public var userName: String?
    public var proof: Proof
    public var createdAt: Date

    /// The source of the claim that the service belongs to the session's issuer.
    public enum Proof: String, Sendable, Codable {
        /// The service itself (RFC 9728).
        case metadata
        /// The person, where the service says nothing.
        case person
    }

    public init(
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
