public import Basics

/// The calls of a front end about sites.
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

    /// Finds the site for a request, and the reasons why the others do not fit.
    public func matchSite(_ request: SiteMatchRequest) async throws -> SiteMatchPayload {
        try await perform(SiteVerbs.match, on: "", request)
    }

    /// Asks the service of one site, or of all, for its present description of itself.
    public func checkSites(_ wanted: String?) async throws -> SiteChecksPayload {
        try await perform(SiteVerbs.check, on: "", SiteCheckRequest(site: wanted))
    }

    /// Judges a site that the person wants; binds nothing.
    public func siteOffer(_ wish: Sites.Wish) async throws -> SiteOfferPayload {
        try await perform(SiteVerbs.offer, on: "", SiteWish(wish))
    }
}
