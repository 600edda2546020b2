import Basics
package import Verbs

/// The verbs of sites: which services get which session's tokens.
package enum SiteVerbs {
    /// All of them, as the agent serves them.
    package static let all = [
        sites.untyped, remove.untyped, match.untyped, check.untyped, offer.untyped, add.untyped,
    ]

    package static let sites = SessionVerb<NoInput, SitesPayload>("sites", .get, "/sites") { sessions, _ in
        try sessions.listSites()
    }

    package static let remove = SessionVerb<NoInput, RemovedSitePayload>(
        "removeSite", .delete, "/sites/{id}", effect: .change
    ) { sessions, call in RemovedSitePayload(try sessions.sites.remove(call.name)) }

    // Addresses say more of the person than a request's own address should, so they go into the body.
    package static let match = SessionVerb<SiteMatchRequest, SiteMatchPayload>(
        "matchSite", .post, "/sites/match"
    ) { sessions, call in try sessions.match(call.input) }

    package static let check = SessionVerb<SiteCheckRequest, SiteChecksPayload>(
        "checkSites", .post, "/sites/check"
    ) { sessions, call in SiteChecksPayload(try await sessions.sites.check(call.input.site)) }

    /// Judges the person's wish, for the card that is shown before the PIN. Nothing is bound.
    package static let offer = SessionVerb<SiteWish, SiteOfferPayload>(
        "siteOffer", .post, "/sites/offers"
    ) { sessions, call in SiteOfferPayload(try await sessions.sites.offer(call.input.wish)) }

    /// Binds a site that the person saw on a card.
    package static let add = SessionVerb<NewSite, OneSitePayload>("addSite", .post, "/sites", provedBy: .needed) {
        host, call in
        // Ask the service first, so that the site is bound at once after the PIN.
        let offer = try await host.sessions().offer(call.input)
        return try await host.demandProof(call.pin) { try $0.bind(offer, by: $1) }
    }
}
