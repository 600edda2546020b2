package import Basics
import Display
import SessionModel

/// The result of signing out of one session.
package struct EndedSessionPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var name: String
        /// The issuer's identifier.
        package var issuer: String
        /// Whether the issuer ended its tokens.
        package var revoked: Bool
        /// Whether the issuer could not be reached, and will be notified later.
        package var owed: Bool
        /// Until when an access token is good that the issuer did not end although it was asked to; null if it ended
        /// all, or if that is not known.
        @OrNull package var goodUntil: Timestamp?
        /// The issuer's page that signs a browser out; null where it has none, or where it was not asked for.
        @OrNull package var page: Page?
        /// The ids of the grants that went with it.
        package var grants: [String]
        /// The ids of the sites that went with it.
        package var sites: [String]
    }

    package struct Page: Codable, Sendable, Equatable {
        /// Only for the browser: it may hold the ID token, which names the person to the issuer.
        package var address: String
        /// Without secrets. The issuer may ask which account to sign out.
        package var bare: String
    }

    package var signedOut: Content

    /// `bound`: the grants and sites that ended with the session.
    init(_ outcome: SignOut.Outcome, of issuer: Issuer, withPage: Bool, _ bound: BoundToSession = BoundToSession()) {
        let page = withPage ? outcome.page : nil
        signedOut = Content(
            name: outcome.name.text, issuer: DisplayText(issuer.text).line, revoked: outcome.isTold,
            owed: outcome.isOwed, goodUntil: outcome.goodUntil.map(Timestamp.init),
            page: page.map { Page(address: ($0.whole ?? $0.bare).text, bare: $0.bare.text) }, grants: bound.grants,
            sites: bound.sites)
    }

    /// The pages to open after a logout, with the names of their sessions: one per issuer. `isWished`: the person asked for the
    /// pages. Otherwise an issuer's page is left out while another of its sessions stays, since some issuers' pages end everything
    /// they granted.
    package static func pages(
        of ended: [Content], staying: [SessionPayload], isWished: Bool
    ) -> [(name: String, page: Page)] {
        var pages: [(name: String, page: Page)] = []
        var issuers: Set<String> = []
        for session in ended {
            guard let page = session.page, !issuers.contains(session.issuer),
                isWished || !staying.contains(where: { $0.issuer == session.issuer })
            else { continue }
            issuers.insert(session.issuer)
            pages.append((session.name, page))
        }
        return pages
    }
}
