/// A question that an issuer's page must ask, even if the page thinks that it need not (`prompt`, OpenID Connect Core
/// 1.0 section 3.1.2.1). Signing in anew has an option of its own, which also checks that it was done.
package enum LoginPrompt: String, Sendable, Codable, CaseIterable {
    /// Ask for consent again: some issuers give a refresh token only then.
    case consent
    /// Let the person choose the account.
    case selectAccount = "select_account"

    /// Nil if one of the words is no prompt.
    package static func list(_ words: [String]) -> [LoginPrompt]? {
        let prompts = words.compactMap(LoginPrompt.init)
        return prompts.count == words.count ? prompts : nil
    }
}
