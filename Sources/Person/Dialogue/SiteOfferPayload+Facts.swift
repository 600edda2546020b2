import Display
package import Sessions

extension SiteOfferPayload {
    /// All that a person decides by, before a service gets tokens.
    package var facts: [Fact] {
        func fact(_ label: StaticString, _ text: String?) -> [Fact] {
            text.map { [Fact(label, DisplayText(answered: $0))] } ?? []
        }
        let scopes = offer.scopes.isEmpty ? "nothing in particular" : offer.scopes.joined(separator: " ")
        var facts = fact("Service", offer.rule) + fact("Session", offer.session) + fact("Account", offer.account)
        facts += fact("Issuer", offer.issuer) + fact("Scopes", scopes) + fact("Tokens for", offer.resource)
        if offer.onChallenge { facts += fact("When", "only when the service asks for a token") }
        facts += fact("Realm", offer.realm) + fact("User name", offer.username)
        let said = "The service says that it belongs to this issuer."
        return facts + [Fact(DisplayText(answered: proof == .metadata ? said : unsaid))]
    }

    /// The warning that only the person vouches for this site.
    var unsaid: String {
        "\(offer.rule) does not say which issuer it belongs to. It will get tokens of \(offer.session)"
    }
}
