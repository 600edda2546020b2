import Display
import Sessions

/// Advice for the person after a login that worked.
enum LoginAdvice {
    static func lines(_ signedIn: SignedInPayload) -> [String] {
        let session = signedIn.session
        var lines: [String] = []
        if !signedIn.notGranted.isEmpty {
            let scopes = DisplayText(answered: signedIn.notGranted.joined(separator: " ")).line(within: 400)
            lines.append("The issuer did not grant: \(scopes)")
        }
        if !session.refreshable {
            let end = session.expiresAt.map { "it lasts until \(SessionPayload.local($0))" } ?? "it does not last"
            lines.append("\(session.name) does not renew by itself: \(end)")
            if let options = signedIn.renewalOptions {
                lines.append("hint: ask for more with: countersign login \(session.name) \(options)")
            }
        }
        if let service = signedIn.service {
            let prefix = DisplayText(answered: service).line(within: 200)
            lines.append(
                "hint: attach it to requests with: countersign sites add \(prefix) --session \(session.name)")
        }
        return lines
    }
}
