public import Basics
public import Sessions

/// What the API needs for the verbs of sites, besides the sessions at hand.
public protocol SiteServing: Sendable {
    /// Binds a site that the person saw on a card. Throws `SessionError` and `PINError`.
    func addSite(
        _ new: NewSite, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneSitePayload
}

extension AgentAPI {
    static func siteRoutes(of agent: any SiteServing) -> [Route] {
        [
            Route(SiteVerbs.add) { request, new in
                try await agent.addSite(
                    new, pin: try request.demandPIN(), from: request.pinSource, for: request.caller)
            }
        ]
    }
}
