import Basics
import Display
import SessionModel

extension ResourceMetadata {
    /// Judges each member for a token of `session` (oauth section 4.2).
    func judged(for rule: SiteRule, _ session: SignIn, scopes: Scopes?) -> [MetadataFinding] {
        [judgedResource(rule), judgedIssuers(session), judgedScopes(scopes), judgedMethods()]
    }

    /// The same for one request.
    func judged(for address: WebAddress, _ session: SignIn) -> [MetadataFinding] {
        [judgedResource(.prefix(address.base)), judgedIssuers(session), judgedMethods()]
    }

    /// The resource must cover the prefix. For a host, the same origin suffices, since a host has many resources.
    private func judgedResource(_ rule: SiteRule) -> MetadataFinding {
        let isCovering =
            switch rule {
            case .prefix(let prefix): ResourceIndicator(resource.untrusted)?.covers(prefix) ?? false
            case .host: (try? WebAddress(resource.untrusted)).map { $0.origin == rule.place?.origin } ?? false
            }
        return MetadataFinding(
            field: .resource, isGood: isCovering,
            words: isCovering
                ? "it is \(shown(resource))" : "it is \(shown(resource)), which does not cover \(rule.text)")
    }

    private func judgedIssuers(_ session: SignIn) -> MetadataFinding {
        let own = session.issuer.issuer
        let isNamed = issuers?.contains { Issuer($0.untrusted).map { own.isFound(at: $0.address) } ?? false } ?? false
        let named = issuers.map { $0.isEmpty ? "none" : $0.prefix(4).map(shown).joined(separator: ", ") }
        return MetadataFinding(
            field: .issuers, isGood: isNamed,
            words: isNamed
                ? "the issuer of \(session.name.text) is among them"
                : "the issuer of \(session.name.text), \(shown(BankText(own.text))), is not among them (\(named ?? "none"))"
        )
    }

    private func judgedScopes(_ wanted: Scopes?) -> MetadataFinding {
        let known = Set(scopes?.map(\.untrusted) ?? [])
        let unknown = scopes == nil ? [] : wanted?.all.filter { !known.contains($0) } ?? []
        return MetadataFinding(
            field: .scopes, isGood: true,
            words: scopes == nil
                ? "it does not say"
                : unknown.isEmpty ? "they have what the site asks for" : "they lack " + unknown.joined(separator: " "))
    }

    private func judgedMethods() -> MetadataFinding {
        let isHeader = methods?.contains { $0.untrusted == "header" } ?? true
        return MetadataFinding(
            field: .methods, isGood: isHeader,
            words: methods == nil
                ? "it does not say" : isHeader ? "tokens go into the header" : "it takes no token in the header")
    }

    private func shown(_ text: BankText) -> String { DisplayText(text).line(within: 120) }
}
