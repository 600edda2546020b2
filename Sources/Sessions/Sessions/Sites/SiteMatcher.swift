package import Basics
package import SessionModel

/// Finds the site whose token goes with a request (oauth section 4.2), and says why every other site does not fit.
///
/// The longest prefix that fits wins. A host fits only if no prefix does: an exact host comes before a rule for subdomains.
package struct SiteMatcher: Sendable {
    private let sites: [Site]

    package init(_ sites: [Site]) { self.sites = sites }

    /// The known part of a challenge.
    package enum Given: Sendable, Equatable {
        /// The request was not answered with one, or was not made yet.
        case none
        /// There was one, and its words are not known.
        case unread
        case read(Challenges)
    }

    /// Why a site is not the one.
    package enum Misfit: Sendable, Equatable {
        /// Servers may read the request's path in different ways.
        case unclearPath
        case otherHost
        case outsidePath
        case needsChallenge
        /// The challenge names only these schemes, and none of them can be spoken.
        case otherScheme([String])
        case otherRealm
        /// Another one fits better.
        case outranked(by: SiteID)
    }

    /// One site, judged.
    package struct Candidate: Sendable, Equatable {
        package var site: Site
        /// Nil for the winner.
        package var misfit: Misfit?
    }

    /// Judges all sites; the winner comes first, if there is one. `takesPassword`: whether the token can be sent as a password, so
    /// that a challenge for Basic fits, too.
    package func judge(_ address: WebAddress, _ given: Given, takesPassword: Bool = false) -> [Candidate] {
        var candidates = sites.map { site in
            Candidate(site: site, misfit: misfit(site, address, given, takesPassword))
        }
        let fitting = candidates.filter { $0.misfit == nil }.map(\.site)
        let winner = fitting.max { Self.rank($0) < Self.rank($1) }
        guard let winner else { return candidates }
        for index in candidates.indices where candidates[index].misfit == nil && candidates[index].site.id != winner.id
        {
            candidates[index].misfit = .outranked(by: winner.id)
        }
        return candidates.filter { $0.misfit == nil } + candidates.filter { $0.misfit != nil }
    }

    /// Whether the address lies under the prefix of a site that only its conditions rule out: the person put that site there, so it
    /// is not bypassed.
    func isConditional(_ address: WebAddress, _ given: Given, takesPassword: Bool) -> Bool {
        judge(address, given, takesPassword: takesPassword).contains { candidate in
            guard case .prefix = candidate.site.rule else { return false }
            return switch candidate.misfit {
            case .needsChallenge, .otherScheme, .otherRealm: true
            case .unclearPath, .otherHost, .outsidePath, .outranked, nil: false
            }
        }
    }

    /// The site that wins.
    package func site(for address: WebAddress, _ given: Given, takesPassword: Bool = false) -> Site? {
        judge(address, given, takesPassword: takesPassword).first { $0.misfit == nil }?.site
    }

    /// A prefix before an exact host, that before a rule for subdomains; then by length.
    private static func rank(_ site: Site) -> (Int, Int) {
        switch site.rule {
        case .prefix(let prefix): (2, prefix.path.utf8.count)
        case .host(let host, _, let subdomains): (subdomains ? 0 : 1, host.utf8.count)
        }
    }

    private func misfit(_ site: Site, _ address: WebAddress, _ given: Given, _ takesPassword: Bool) -> Misfit? {
        guard let path = ClearPath(address) else { return .unclearPath }
        switch site.rule {
        case .prefix(let prefix):
            guard prefix.origin == address.origin else { return .otherHost }
            guard let base = ClearPath(prefix), path.isUnder(base) else { return .outsidePath }
        case .host(let host, let port, let subdomains):
            let isOne = subdomains ? address.host.hasSuffix("." + host) : address.host == host
            guard isOne, port == address.port else { return .otherHost }
        }
        switch given {
        case .none: return site.isOnChallenge ? .needsChallenge : nil
        // A realm that is not known does not fit.
        case .unread: return site.realm == nil ? nil : .otherRealm
        case .read(let challenges):
            let spoken = challenges.answered(byPassword: takesPassword)
            guard !spoken.isEmpty else { return .otherScheme(challenges.all.compactMap(\.scheme)) }
            guard let realm = site.realm else { return nil }
            return spoken.contains { $0.realm?.untrusted == realm } ? nil : .otherRealm
        }
    }
}

extension SiteMatcher.Given {
    /// By the `WWW-Authenticate` lines of an answer; nil where there was none.
    package init(_ lines: [String]?) {
        guard let lines else {
            self = .none
            return
        }
        let fields = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        self = fields.isEmpty ? .unread : .read(Challenges(fields))
    }
}
