import Sessions

/// The answers about sites.
enum SiteSamples {
    private static let oneSite = #"""
        {"id":"3f9a1c22","prefix":"https://api.fern.example/v1","host":null,"session":"fern","scopes":["mail"],
        "resource":null,"on_challenge":true,"realm":"fern","username":null,"verified":"person"}
        """#

    static let sites: SitesPayload = APISamples.decode(#"{"sites":[\#(oneSite)]}"#)
    static let site: OneSitePayload = APISamples.decode(#"{"site":\#(oneSite)}"#)
    static let removed: RemovedSitePayload = APISamples.decode(#"{"removed":{"id":"3f9a1c22"}}"#)
    static let match: SiteMatchPayload = APISamples.decode(
        #"""
        {"match":{"site":null,"session":"fern"},"candidates":[{"site":"3f9a1c22","rule":"api.fern.example","fits":false,
        "why":"another host"}]}
        """#)
    static let checks: SiteChecksPayload = APISamples.decode(
        #"""
        {"checks":[{"site":"3f9a1c22","rule":"api.fern.example","session":"fern","ok":false,"message":"elsewhere",
        "fields":[{"name":"resource","ok":false,"message":"it is another"}]}]}
        """#)
    static let offer: SiteOfferPayload = APISamples.decode(
        #"""
        {"offer":{"rule":".fern.example","session":"fern","account":null,"issuer":"fern.example","scopes":[],"resource":null,
        "on_challenge":true,"realm":null,"username":"token","verified":"person"}}
        """#)
}
