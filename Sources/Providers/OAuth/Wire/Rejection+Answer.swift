import Basics
import Sessions
import Web

extension Rejection {
    /// What an answer other than 200 says (RFC 6749 section 5.2). `unnamed`: what a 400 or 401 means that has no word we know.
    init(_ answer: Answer, unnamed: Kind = .other) {
        let body = answer.object
        let word = body?["error"]?.text
        let kind: Kind
        if answer.redirect != nil || (300..<400).contains(answer.status) {
            kind = .redirect
        } else if let known = word.flatMap(Self.kind) {
            kind = known
        } else {
            kind = [400, 401].contains(answer.status) ? unnamed : .other
        }
        self.init(
            kind, word: word.map(BankText.init), text: body?["error_description"]?.text.map(BankText.init),
            status: answer.status)
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
