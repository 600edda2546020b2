import Basics
package import Sessions
package import Verbs

/// The verbs of logins. The person says yes to the hosts between the first and the second.
extension AgentVerbs {
    package static let logins = [
        beginLogin.untyped, acceptLogin.untyped, redirectLogin.untyped, login.untyped, endLogin.untyped,
    ]

    package static let beginLogin = AgentVerb<LoginRequest, OpenLogin>(
        "beginLogin", .post, "/logins", while: .atHand, callers: .ownProgram
    ) { host, call in try await host.beginLogin(call.input) }

    package static let acceptLogin = AgentVerb<LoginAcceptance, LoginNext>(
        "acceptLogin", .post, "/logins/{id}/accept", effect: .change, while: .atHand, callers: .ownProgram
    ) { host, call in try await host.acceptLogin(call) }

    package static let redirectLogin = AgentVerb<LoginRedirect, LoginVerdict>(
        "redirectLogin", .post, "/logins/{id}/redirects", effect: .change, while: .atHand, callers: .ownProgram
    ) { host, call in try await host.redirectLogin(call) }

    /// Waits for the end of a login by a device.
    package static let login = AgentVerb<LoginWait, LoginVerdict>(
        "login", .get, "/logins/{id}", while: .atHand, callers: .ownProgram
    ) { host, call in try await host.login(call) }

    package static let endLogin = AgentVerb<NoInput, NoOutput>(
        "endLogin", .delete, "/logins/{id}", effect: .change, while: .any, callers: .ownProgram
    ) { host, call in
        await host.endLogin(call.name)
        return NoOutput()
    }
}
