public import Basics
import FoundationEssentials

/// Binds sites to sessions, and checks them (oauth section 4.2).
public struct Sites: Sendable {
    private let service: any IssuerService
    private let store: any SessionStore
    private let clock: Clock
    private let makeID: @Sendable () throws -> String

    /// `makeID`: makes a UUID.
    public init(
        service: any IssuerService, store: any SessionStore, clock: Clock,
        makeID: @escaping @Sendable () throws -> String
    ) {
        self.service = service
        self.store = store
        self.clock = clock
        self.makeID = makeID
    }

    /// A site as the person wants it.
    public struct Wish: Sendable {
        public var rule: SiteRule
        /// The session's name or issuer; nil for the only one.
        public var session: String?
        public var scopes: Scopes?
        public var resource: ResourceIndicator?
        public var isOnChallenge = false
        public var realm: String?
        public var userName: String?

        public init(_ rule: SiteRule, session: String?) {
            self.rule = rule
            self.session = session
        }
    }

    /// A site that may be bound, and the service's description of itself.
    public struct Offer: Sendable {
        public let session: SignIn
        /// Nil where the service says nothing: then the person must say yes.
        public let metadata: ResourceMetadata?
        let site: Site

        /// The source of the claim that the service belongs to the session's issuer.
        public var proof: Site.Proof { site.proof }
    }

    /// Judges the person's wish; binds nothing. Throws `SessionError`: `siteContradicts` where the service says that it
    /// belongs elsewhere.
    public func offer(_ wish: Wish) async throws -> Offer {
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
    public func bind(_ offer: Offer) throws -> Site {
        try store.add(offer.site)
        return offer.site
    }

    /// Removes a site, and returns it. Throws `SessionError` `noSite`.
    public func remove(_ wanted: String) throws -> Site {
        let site = try site(wanted)
        try store.remove(site.id)
        return site
    }

    /// The result of checking one site.
    public struct Check: Sendable {
        public var site: Site
        public var session: SignIn
        /// Empty where the service says nothing of itself.
        public var findings: [MetadataFinding]
        /// Why it could not be asked.
        public var error: IssuerError?

        public var isGood: Bool { error == nil && findings.allSatisfy(\.isGood) }
    }

    /// Asks the service of one site, or of all, for its present description of itself. Throws `SessionError` `noSite`.
    public func check(_ wanted: String?) async throws -> [Check] {
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
