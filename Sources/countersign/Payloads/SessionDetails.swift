import Basics
import Display
import Sessions

extension SessionDetailsPayload: Payload {
    var ids: [String] { [session.name] }

    func text(_ style: Style) -> String {
        var lines = [
            ("Session", session.name), ("Issuer", session.issuer), ("Account", session.account ?? "not known"),
        ]
        if let name = profile?.name { lines.append(("Name", name)) }
        if let email = profile?.email { lines.append(("Email", email)) }
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
        lines += tokens.map { token in
            let words = token.kind == "id" ? ["ID token"] : ["access token"] + token.scopes
            return (
                "Holds",
                words.joined(separator: " ") + (token.expiresAt.map { ", until \(SessionPayload.local($0))" } ?? "")
            )
        }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { label, value in
            label + String(repeating: " ", count: width + 2 - label.count) + DisplayText(answered: value).line
        }.joined(separator: "\n")
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
