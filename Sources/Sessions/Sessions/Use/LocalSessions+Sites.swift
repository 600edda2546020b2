import Basics
import Keys
import SessionModel

/// Which services get which session's tokens.
extension LocalSessions {
    func listSites() throws -> SitesPayload {
        let all = try store.sessions()
        return SitesPayload(
            try store.sites().compactMap { site in
                all.first { $0.id == site.session }.map { SitePayload(site, of: $0) }
            }, failures: .list(try store.damagedRows(), [.site]))
    }

    /// Sends nothing.
    func match(_ request: SiteMatchRequest) throws -> SiteMatchPayload {
        let service = ServiceRequest(request.url, SiteMatcher.Given(request.challenge))
        let judged = SiteMatcher(try store.sites()).judge(service.address, service.given)
        return SiteMatchPayload(judged, session: try chooser.session(for: service)?.name)
    }

    /// Judges a site that the person saw on a card. Throws `SessionError` `siteChanged` where it differs from the card
    /// by now.
    func offer(_ new: NewSite) async throws -> Sites.Offer {
        let offer = try await sites.offer(new.wish)
        guard offer.proof == new.proof else { throw SessionError.siteChanged(new.wish.rule) }
        return offer
    }

    /// Binds it.
    func bind(_ offer: Sites.Offer, by proof: ProvedPIN) throws -> OneSitePayload {
        OneSitePayload(SitePayload(try sites.bind(offer), of: offer.session))
    }
}
