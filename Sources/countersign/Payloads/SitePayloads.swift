import Basics
import Display
import Sessions

extension SitesPayload: Payload {
    var ids: [String] { sites.map(\.id) }

    func text(_ style: Style) -> String {
        guard !sites.isEmpty else {
            return "No site has a session. Bind one with: countersign sites add PREFIX --session NAME"
        }
        let rows = sites.map { site in
            [
                site.id, site.rule, site.session, site.onChallenge ? "on a challenge" : "always",
                site.verified == "metadata" ? "the service" : "you",
            ].map { DisplayText(answered: $0) }
        }
        return TextTable(header: ["SITE", "FOR", "SESSION", "WHEN", "SAID BY"]).text(rows, style)
    }
}

extension OneSitePayload: Payload {
    var ids: [String] { [site.id] }

    func text(_ style: Style) -> String {
        "Bound: \(site.rule) gets tokens of \(site.session)" + (site.onChallenge ? ", on a challenge" : "")
    }
}

extension RemovedSitePayload: Payload {
    var ids: [String] { [removed.id] }

    func text(_ style: Style) -> String { "Removed: \(removed.id)" }
}

extension SiteMatchPayload: Payload {
    var ids: [String] { match.map { [$0.site ?? $0.session] } ?? [] }

    func text(_ style: Style) -> String {
        var lines: [String] = []
        switch match {
        case nil: lines.append("No site fits, so no token is sent.")
        case .some(let match) where match.site == nil:
            lines.append("\(match.session): it was signed in for a service that covers this address.")
        case .some(let match): lines.append("\(match.session), by site \(match.site ?? "").")
        }
        let rows = candidates.map { candidate in
            [candidate.site, candidate.rule, candidate.fits ? "yes" : "no", candidate.why].map {
                DisplayText(answered: $0)
            }
        }
        if !rows.isEmpty { lines.append(TextTable(header: ["SITE", "FOR", "FITS", "WHY"]).text(rows, style)) }
        return lines.joined(separator: "\n")
    }
}

extension SiteChecksPayload: Payload {
    var ids: [String] { checks.filter { !$0.ok }.map(\.site) }

    func text(_ style: Style) -> String {
        guard !checks.isEmpty else { return "No site has a session." }
        return checks.map { check in
            ([(check.ok, "\(check.site) \(check.rule): \(check.message)")]
                + check.fields.map { ($0.ok, "  \($0.name): \($0.message)") })
                .map { ($0 ? "ok    " : "WRONG ") + DisplayText(answered: $1).line }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
