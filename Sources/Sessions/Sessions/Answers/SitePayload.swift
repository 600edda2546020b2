public import Basics
import Display

/// A site as JSON. Everything in it is safe to show.
public struct SitePayload: Codable, Sendable, Equatable {
    public var id: String
    /// The address that requests lie under; null for a host.
    @OrNull public var prefix: String?
    /// A host, or `.` and a host for its subdomains; null for a prefix.
    @OrNull public var host: String?
    /// The name of its session.
    public var session: String
    public var scopes: [String]
    @OrNull public var resource: String?
    public var onChallenge: Bool
    @OrNull public var realm: String?
    /// The user name if the token is sent as a password; null means `oauth2`.
    @OrNull public var username: String?
    /// `metadata` or `person`.
    public var verified: String

    public init(_ site: Site, of session: SignIn) {
        id = site.id.text
        switch site.rule {
        case .prefix: prefix = site.rule.text
        case .host: host = site.rule.text
        }
        self.session = session.name.text
        scopes = (site.scopes ?? session.granted).all
        resource = site.resource?.text
        onChallenge = site.isOnChallenge
        realm = site.realm.map { DisplayText($0).line }
        username = site.userName.map { DisplayText($0).line }
        verified = site.proof.rawValue
    }

    /// Its prefix or host.
    public var rule: String { prefix ?? host ?? "" }
}

/// The answer of `sites`.
public struct SitesPayload: Codable, Sendable, Equatable {
    public var sites: [SitePayload]
    /// Sites that cannot be read; present only if there are any.
    public var failures: [DamagedRowsPayload]?

    public init(_ sites: [SitePayload], failures: [DamagedRowsPayload]? = nil) {
        self.sites = sites
        self.failures = failures
    }
}

/// The answer of `sites add`.
public struct OneSitePayload: Codable, Sendable, Equatable {
    public var site: SitePayload

    public init(_ site: SitePayload) { self.site = site }
}

/// The answer of `sites remove`.
public struct RemovedSitePayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        public var id: String
    }

    public var removed: Content

    public init(_ site: Site) { removed = Content(id: site.id.text) }
}

/// The answer of `sites match`.
public struct SiteMatchPayload: Codable, Sendable, Equatable {
    public struct Match: Codable, Sendable, Equatable {
        /// Null where the session was signed in for a service that covers the address.
        @OrNull public var site: String?
        public var session: String
    }

    public struct Candidate: Codable, Sendable, Equatable {
        public var site: String
        /// Its prefix or host.
        public var rule: String
        /// Whether it would do if no other did better.
        public var fits: Bool
        public var why: String
    }

    @OrNull public var match: Match?
    public var candidates: [Candidate]

    public init(_ judged: [SiteMatcher.Candidate], session: SessionName?) {
        candidates = judged.map { candidate in
            Candidate(
                site: candidate.site.id.text, rule: candidate.site.rule.text, fits: candidate.fits, why: candidate.why)
        }
        let site = judged.first { $0.misfit == nil }?.site.id.text
        match = session.map { name in
            var match = Match(session: name.text)
            match.site = site
            return match
        }
    }
}

extension SiteMatcher.Candidate {
    fileprivate var fits: Bool {
        switch misfit {
        case nil, .outranked: true
        default: false
        }
    }

    fileprivate var why: String {
        switch misfit {
        case nil:
            switch site.rule {
            case .prefix: "the longest prefix that fits"
            case .host: "no prefix fits, and there was a challenge"
            }
        case .unclearPath:
            "servers differ on what this path names: it has escaped dots, slashes or control characters, or odd dot segments"
        case .otherHost: "another scheme, host or port"
        case .outsidePath: "the path does not lie under it"
        case .needsChallenge: "it is for requests that were answered with a challenge"
        case .otherScheme(let schemes):
            "the challenge does not ask for a bearer token"
                + (schemes.isEmpty
                    ? "" : ", but for " + schemes.map { DisplayText($0).line(within: 20) }.joined(separator: ", "))
        case .otherRealm: "the challenge is not of its realm"
        case .outranked(let winner): "\(winner.text) fits better"
        }
    }
}

/// The answer of `sites check`.
public struct SiteChecksPayload: Codable, Sendable, Equatable {
    public struct Field: Codable, Sendable, Equatable {
        /// As RFC 9728 calls it.
        public var name: String
        public var ok: Bool
        public var message: String
    }

    public struct Check: Codable, Sendable, Equatable {
        public var site: String
        /// Its prefix or host.
        public var rule: String
        public var session: String
        public var ok: Bool
        public var message: String
        /// The service's description of itself; empty without one.
        public var fields: [Field]
    }

    public var checks: [Check]

    public var isGood: Bool { checks.allSatisfy(\.ok) }

    public init(_ checks: [Sites.Check]) {
        self.checks = checks.map { check in
            Check(
                site: check.site.id.text, rule: check.site.rule.text, session: check.session.name.text,
                ok: check.isGood,
                message: check.words,
                fields: check.findings.map { Field(name: $0.field.rawValue, ok: $0.isGood, message: $0.words) })
        }
    }
}

extension Sites.Check {
    fileprivate var words: String {
        if let error { return error.failure.message }
        if !isGood { return "the service says that it belongs elsewhere" }
        if !findings.isEmpty { return "the service says that it belongs to this session" }
        switch site.proof {
        case .metadata: return "the service no longer says what it belongs to"
        case .person: return "the service does not say what it belongs to; you do"
        }
    }
}
