package import Basics

/// The verbs of sites: which services get which session's tokens.
package enum SiteVerbs {
    /// The verbs that need only the sessions at hand. The agent serves each of them.
    package static let onSessions = [
        sites.untyped, remove.untyped, match.untyped, check.untyped, offer.untyped,
    ]

    static let sites = SessionVerb<NoInput, SitesPayload>("sites", .get, "/sites") { sessions, _, _ in
        try sessions.listSites()
    }

    static let remove = SessionVerb<NoInput, RemovedSitePayload>(
        "removeSite", .delete, "/sites/{id}", effect: .change
    ) { sessions, id, _ in RemovedSitePayload(try sessions.sites.remove(id)) }

    // Addresses say more of the person than a request's own address should, so they go into the body.
    static let match = SessionVerb<SiteMatchRequest, SiteMatchPayload>(
        "matchSite", .post, "/sites/match"
    ) { sessions, _, request in try sessions.match(request) }

    static let check = SessionVerb<SiteCheckRequest, SiteChecksPayload>(
        "checkSites", .post, "/sites/check"
    ) { sessions, _, request in SiteChecksPayload(try await sessions.sites.check(request.site)) }

    /// Judges the person's wish, for the card that is shown before the PIN. Nothing is bound.
    static let offer = SessionVerb<SiteWish, SiteOfferPayload>(
        "siteOffer", .post, "/sites/offers"
    ) { sessions, _, wish in SiteOfferPayload(try await sessions.sites.offer(wish.wish)) }

    package static let add = Verb<NewSite, OneSitePayload>(
        "addSite", .post, "/sites", effect: .change, while: .atHand, callers: .ownProgram, pin: .needed)
}
