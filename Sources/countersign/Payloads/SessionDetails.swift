import Basics
import Display
import Cryptography
import Sessions

/// The answer of `sessions show`, with names where its JSON has ids.
struct ShownSession: Payload {
    let details: SessionDetailsPayload
    /// Only those of this session.
    private let grants: [GrantPayload]
    private let sites: [SitePayload]

    /// `grants`, `sites`: of all sessions.
    init(_ details: SessionDetailsPayload, _ grants: [GrantPayload], _ sites: [SitePayload]) {
        self.details = details
        self.grants = grants.filter { details.grants.contains($0.id) }
        self.sites = sites.filter { details.sites.contains($0.id) }
    }

    func encode(to encoder: any Encoder) throws { try details.encode(to: encoder) }

    var ids: [String] { [details.session.name] }

    func text(_ style: Style) -> String {
        let bound = grants.map { ("Program", words($0)) } + sites.map { ("Site", "\($0.rule) (\($0.id))") }
        let lines = details.lines + bound
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { label, value in
            label + String(repeating: " ", count: width + 2 - label.count) + DisplayText(answered: value).line
        }.joined(separator: "\n")
    }

    /// Names scopes and services only if they differ from the session's.
    private func words(_ grant: GrantPayload) -> String {
        let session = details.session
        var words = [grant.program.text]
        if grant.scopes != session.scopes { words.append("for \(grant.scopes.joined(separator: " "))") }
        if grant.resources != session.resources { words.append("at \(grant.resources.joined(separator: " "))") }
        if grant.status != .active { words.append(grant.state) }
        return words.joined(separator: ", ") + " (\(grant.id))"
    }
}

extension SessionDetailsPayload {
    fileprivate var lines: [(String, String)] {
        var lines = [
            ("Session", session.name), ("Issuer", session.issuer), ("Account", session.account ?? "not known"),
        ]
        if let name = profile?.name { lines.append(("Name", name)) }
        if let email = profile?.email { lines.append(("Email", email)) }
        if let date = session.authenticatedAt { lines.append(("Proven", SessionPayload.local(date))) }
        if let acr = session.acr { lines.append(("Strength", acr)) }
        if !amr.isEmpty { lines.append(("Proven by", amr.joined(separator: " "))) }
        lines += [
            ("Status", session.state),
            ("Client", client.id + (client.registered ? " (registered by this program)" : "")),
            ("Scopes", session.scopes.isEmpty ? "none" : session.scopes.joined(separator: " ")),
        ]
        lines += session.resources.map { ("Service", $0) }
        lines += [
            ("Page", endpoints.authorization), ("Tokens from", endpoints.token),
            ("Revocation", endpoints.revocation ?? "none: a logout cannot end its tokens there"),
        ]
        lines += authorities.map { ("Also trusts", Self.words(ofAuthority: $0)) }
        lines += tokens.map { token in
            let words = token.kind == "id" ? ["ID token"] : ["access token"] + token.scopes
            let others =
                token.otherAudiences.isEmpty ? "" : ", also for \(token.otherAudiences.joined(separator: ", "))"
            let end = token.expiresAt.map { ", until \(SessionPayload.local($0))" } ?? ""
            return ("Holds", words.joined(separator: " ") + others + end)
        }
        return lines
    }

    /// The digest is written as `openssl x509 -fingerprint -sha256` writes it.
    private static func words(ofAuthority pem: String) -> String {
        guard let certificate = Certificate(pem: pem) else { return "a certificate that cannot be read" }
        let digest = certificate.digest.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "\(certificate.subject), SHA-256 \(digest.joined(separator: ":"))"
    }
}

/// The answer of `sessions set`.
struct ChangedSession: Payload {
    var session: SessionPayload

    init(_ session: SessionPayload) { self.session = session }

    var ids: [String] { [session.name] }

    func text(_ style: Style) -> String {
        let end = session.signOutAt.map { "signs out \(SessionPayload.local($0))" }
        return "\(session.name): " + (end ?? (session.keep ? "stays signed in" : "does not sign out by itself"))
    }
}

/// The answer of `sessions rename`.
struct RenamedSession: Payload {
    var session: SessionPayload

    init(_ session: SessionPayload) { self.session = session }

    var ids: [String] { [session.name] }

    func text(_ style: Style) -> String { "Renamed: \(session.name)" }
}
