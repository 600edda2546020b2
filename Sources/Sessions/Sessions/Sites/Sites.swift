package import Basics
import FoundationEssentials
package import SessionModel

/// Binds sites to sessions, and checks them (oauth section 4.2).
package struct Sites: Sendable {
    private let service: any IssuerService
    private let store: any SessionStore
    private let clock: Clock
    private let makeID: @Sendable () throws -> String

    /// `makeID`: makes a UUID.
    package init(
        service: any IssuerService, store: any SessionStore, clock: Clock,
        makeID: @escaping @Sendable () throws -> String
    ) {
        self.service = service
        self.store = store
        self.clock = clock
        self.makeID = makeID
    }

    /// A site as the person wants it.
    package struct Wish: Sendable {
        package var rule: SiteRule
        /// The session's name or issuer; nil for the only one.
        package var session: String?
        package var scopes: Scopes?
        package var resource: ResourceIndicator?
        package var isOnChallenge = false
        package var realm: String?
        package var userName: String?

        package init(_ rule: SiteRule, session: String?) {
            self.rule = rule
            self.session = session
        }
    }

    /// A site that may be bound, and the service's description of itself.
    package struct Offer: Sendable {
        package let session: SignIn
        /// Nil where the service says nothing: then the person must say yes.
        package let metadata: ResourceMetadata?
        let site: Site

        /// The source of the claim that the service belongs to the session's issuer.
        package var proof: Site.Proof { site.proof }
    }

    /// Judges the person's wish; binds nothing. Throws `SessionError`: `siteContradicts` where the service says that it
    /// belongs elsewhere.
    package func offer(_ wish: Wish) async throws -> Offer {
        let session = try SessionLookup(store.sessions()).session(wish.session)
        let beyond = (wish.scopes?.all ?? []).filter { !session.granted.contains($0) }
        let foreign = wish.resource.map { session.resources.contains($0) ? [] : [$0.text] } ?? []
        guard beyond.isEmpty, foreign.isEmpty else {
            throw SessionError.beyond(session, scopes: beyond, resources: foreign)
        }
        if let taken = try store.sites().first(where: { $0.rule == wish.rule }) { throw SessionError.ruleTaken(taken) }
        let metadata = try await metadata(of: wish.rule, session)
        let findings = metadata?.judged(for: wish.rule, session, scopes: wish.scopes) ?? []
        if let wrong = findings.first(where: { !$0.isGood }) {
            throw SessionError.siteContradicts(wish.rule.text, wrong)
        }
        let told = metadata.flatMap { ResourceIndicator($0.resource.untrusted) }
        let site = Site(
            id: SiteID(String(try makeID().prefix(8))), rule: wish.rule, session: session.id, scopes: wish.scopes,
            resource: wish.resource ?? told.flatMap { session.resources.contains($0) ? $0 : nil },
            isOnChallenge: wish.isOnChallenge, realm: wish.realm, userName: wish.userName,
            proof: metadata == nil ? .person : .metadata, at: clock.now())
        return Offer(session: session, metadata: metadata, site: site)
    }

    /// Binds it. Throws `SessionError` `ruleTaken`, and the store's errors.
    package func bind(_ offer: Offer) throws -> Site {
        try store.add(offer.site)
        return offer.site
    }

    /// Removes a site, and returns it. Throws `SessionError` `noSite`.
    package func remove(_ wanted: String) throws -> Site {
        let site = try site(wanted)
        try store.remove(site.id)
        return site
    }

    /// The result of checking one site.
    package struct Check: Sendable {
        package var site: Site
        package var session: SignIn
        /// Empty where the service says nothing of itself.
        package var findings: [MetadataFinding]
        /// Why it could not be asked.
        package var error: IssuerError?

        package var isGood: Bool { error == nil && findings.allSatisfy(\.isGood) }
    }

    /// Asks the service of one site, or of all, for its present description of itself. Throws `SessionError` `noSite`.
    package func check(_ wanted: String?) async throws -> [Check] {
        let sessions = try store.sessions()
        var checks: [Check] = []
        for site in try wanted.map({ [try site($0)] }) ?? store.sites() {
            guard let session = sessions.first(where: { $0.id == site.session }) else { continue }
            var check = Check(site: site, session: session, findings: [])
            do throws(IssuerError) {
                check.findings =
                    try await metadata(of: site.rule, session)?.judged(for: site.rule, session, scopes: site.scopes)
                    ?? []
            } catch {
                check.error = error
            }
            checks.append(check)
        }
        return checks
    }

    private func metadata(of rule: SiteRule, _ session: SignIn) async throws(IssuerError) -> ResourceMetadata? {
        guard let place = rule.place else { return nil }
        return try await service.calling(session.issuer).describe(place, at: nil).metadata
    }

    private func site(_ wanted: String) throws -> Site {
        let sites = try store.sites()
        guard let site = sites.first(where: { $0.id.text == wanted || $0.rule.text == wanted }) else {
            throw SessionError.noSite(wanted: wanted)
        }
        return site
    }
}
