package import Basics
import Display
package import SessionModel

/// A site as JSON. Everything in it is safe to show.
package struct SitePayload: Codable, Sendable, Equatable {
    package var id: String
    /// The address that requests lie under; null for a host.
    @OrNull package var prefix: String?
    /// A host, or `.` and a host for its subdomains; null for a prefix.
    @OrNull package var host: String?
    /// The name of its session.
    package var session: String
    package var scopes: [String]
    @OrNull package var resource: String?
    package var onChallenge: Bool
    @OrNull package var realm: String?
    /// The user name if the token is sent as a password; null means `oauth2`.
    @OrNull package var username: String?
    /// `metadata` or `person`.
    package var verified: String

    package init(_ site: Site, of session: SignIn) {
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
    package var rule: String { prefix ?? host ?? "" }
}

/// The answer of `sites`.
package struct SitesPayload: Codable, Sendable, Equatable {
    package var sites: [SitePayload]
    /// Sites that cannot be read; present only if there are any.
    package var failures: [DamagedRowsPayload]?

    package init(_ sites: [SitePayload], failures: [DamagedRowsPayload]? = nil) {
        self.sites = sites
        self.failures = failures
    }
}

/// The answer of `sites add`.
package struct OneSitePayload: Codable, Sendable, Equatable {
    package var site: SitePayload

    package init(_ site: SitePayload) { self.site = site }
}

/// The answer of `sites remove`.
package struct RemovedSitePayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var id: String
    }

    package var removed: Content

    package init(_ site: Site) { removed = Content(id: site.id.text) }
}

/// The answer of `sites match`.
package struct SiteMatchPayload: Codable, Sendable, Equatable {
    package struct Match: Codable, Sendable, Equatable {
        /// Null where the session was signed in for a service that covers the address.
        @OrNull package var site: String?
        package var session: String
    }

    package struct Candidate: Codable, Sendable, Equatable {
        package var site: String
        /// Its prefix or host.
        package var rule: String
        /// Whether it would do if no other did better.
        package var fits: Bool
        package var why: String
    }

    @OrNull package var match: Match?
    package var candidates: [Candidate]

    package init(_ judged: [SiteMatcher.Candidate], session: SessionName?) {
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
package struct SiteChecksPayload: Codable, Sendable, Equatable {
    package struct Field: Codable, Sendable, Equatable {
        /// As RFC 9728 calls it.
        package var name: String
        package var ok: Bool
        package var message: String
    }

    package struct Check: Codable, Sendable, Equatable {
        package var site: String
        /// Its prefix or host.
        package var rule: String
        package var session: String
        package var ok: Bool
        package var message: String
        /// The service's description of itself; empty without one.
        package var fields: [Field]
    }

    package var checks: [Check]

    package var isGood: Bool { checks.allSatisfy(\.ok) }

    package init(_ checks: [Sites.Check]) {
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
