package import Basics

/// The verbs of logins. The person says yes to the hosts between the first and the second.
extension SessionVerbs {
    package static let beginLogin = Verb<LoginRequest, OpenLogin>(
        "beginLogin", .post, "/logins", while: .atHand, callers: .ownProgram)

    package static let acceptLogin = Verb<LoginAcceptance, LoginNext>(
        "acceptLogin", .post, "/logins/{id}/accept", effect: .change, while: .atHand, callers: .ownProgram)

    package static let redirectLogin = Verb<LoginRedirect, LoginVerdict>(
        "redirectLogin", .post, "/logins/{id}/redirects", effect: .change, while: .atHand, callers: .ownProgram)

    package static let login = Verb<LoginWait, LoginVerdict>(
        "login", .get, "/logins/{id}", while: .atHand, callers: .ownProgram)

    package static let endLogin = Verb<NoInput, NoOutput>(
        "endLogin", .delete, "/logins/{id}", effect: .change, while: .any, callers: .ownProgram)
}
