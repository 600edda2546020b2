public import Basics

/// What a front end can ask of sites.
public protocol SiteOperations: Sendable {
    /// Binds a site that the person saw on a card, by the person's PIN.
    func addSite(_ new: NewSite, pin: EnteredPIN) async throws -> OneSitePayload
}

extension SessionOperations {
    public func siteList() async throws -> SitesPayload { try await perform(SiteVerbs.sites, on: "", NoInput()) }

    /// `wanted`: a site's id or rule.
    public func removeSite(_ wanted: String) async throws -> RemovedSitePayload {
        try await perform(SiteVerbs.remove, on: wanted, NoInput())
    }

    /// Tells which site is for a request, and why the others are not.
    public func matchSite(_ request: SiteMatchRequest) async throws -> SiteMatchPayload {
        try await perform(SiteVerbs.match, on: "", request)
    }

    /// Asks the service of one site, or of all, what it says of itself now.
    public func checkSites(_ wanted: String?) async throws -> SiteChecksPayload {
        try await perform(SiteVerbs.check, on: "", SiteCheckRequest(site: wanted))
    }

    /// Judges a site that the person wants; binds nothing.
    public func siteOffer(_ wish: Sites.Wish) async throws -> SiteOfferPayload {
        try await perform(SiteVerbs.offer, on: "", SiteWish(wish))
    }
}
