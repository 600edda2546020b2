import Basics
import SessionModel
import Web

extension Rejection {
    /// Interprets an answer without a token (RFC 6749 section 5.2).
    init(_ answer: Answer) {
        let body = answer.object
        let word = body?["error"]?.text
        let kind: Kind
        if answer.redirect != nil || (300..<400).contains(answer.status) {
            kind = .redirect
        } else if let word {
            kind = Self.kind(word) ?? .other
        } else {
            switch answer.status {
            case 401: kind = .client
            // A page in HTML does not come from the token endpoint, but from something in front of it.
            case 400 where answer.body.isEmpty || body != nil: kind = .unexplained
            default: kind = .other
            }
        }
        self.init(
            kind, word: word.map(BankText.init), text: body?["error_description"]?.text.map(BankText.init),
            page: body?["error_uri"]?.text.map(BankText.init), status: answer.status)
    }

    /// Nil for a word without a meaning of its own, such as `invalid_request`.
    static func kind(_ word: String) -> Kind? {
        switch word {
        case "invalid_grant": .grant
        case "invalid_client", "unauthorized_client": .client
        case "invalid_scope": .scope
        case "invalid_target": .target
        case "access_denied": .denied
        case "interaction_required", "login_required", "consent_required", "account_selection_required": .needsPerson
        case "unmet_authentication_requirements": .tooWeak
        case "server_error", "temporarily_unavailable": .unavailable
        case "unsupported_grant_type": .other
        default: nil
        }
    }
}
