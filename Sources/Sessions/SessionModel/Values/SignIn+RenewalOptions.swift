extension SignIn {
    /// The options of a login with which the issuer may give a refresh token, after a login that brought none. Nil if
    /// that login had them. `prompts`: the questions that the login asked the issuer's page for.
    package func renewalOptions(after prompts: [LoginPrompt] = []) -> String? {
        // A login with this scope asks for consent, too.
        if asked.contains("offline_access") { return nil }
        // Google does not know that scope. It gives a refresh token for this parameter, and only when the person consents.
        let asksForOffline = extras.parameters["access_type"] == "offline"
        guard asksForOffline || issuer.issuer.host == "accounts.google.com" else { return "--offline" }
        let consent = (prompts + extras.prompts).contains(.consent) ? nil : "--prompt consent"
        let options = [asksForOffline ? nil : "--parameter access_type=offline", consent].compactMap(\.self)
        return options.isEmpty ? nil : options.joined(separator: " ")
    }
}
