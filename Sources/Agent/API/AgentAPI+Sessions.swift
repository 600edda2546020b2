internal import Authenticator
internal import Basics
internal import Sessions

extension AgentAPI {
    static func routes(of agent: any SessionServing) -> [Route] {
        // `/grants/own` must come before the routes that have an id in the same place.
        [
            Route.doing(SessionVerbs.revokeOwn) { request, _ in try await agent.revokeOwn(for: request.caller) },
            Route(SessionVerbs.sessions.untyped, of: agent) { try await agent.ownSessions(for: $0) },
            Route(SessionVerbs.grants.untyped, of: agent) { try await agent.ownGrants(for: $0) },
        ]
            + SessionVerbs.onSessions.map { Route($0, of: agent) } + logins(of: agent) + [
                Route(SiteVerbs.add) { request, new in
                    try await agent.addSite(
                        new, pin: try request.demandPIN(), from: request.pinSource, for: request.caller)
                },
                Route(SessionVerbs.signOut.verb) { request, options in
                    try await agent.signOut(request.name, options, for: request.caller)
                },
                Route(SessionVerbs.token) { request, wanted in try await agent.token(wanted, for: request.caller) },
                // A program goes on without a token where no site fits (oauth section 4.1).
                Route.replying(SessionVerbs.headers) { request, wanted in
                    do {
                        return .json(try await agent.headers(wanted, for: request.caller))
                    } catch SessionError.noResource where !request.caller.isOwnProgram {
                        return .done
                    }
                },
                Route(SessionVerbs.ready) { request, wanted in try await agent.ready(wanted, for: request.caller) },
                Route(SessionVerbs.history) { request, wanted in
                    try await agent.history(wanted, for: request.caller)
                },
                Route(SessionVerbs.allowProgram) { request, options in
                    try await agent.allow(
                        options, pin: try request.demandPIN(), from: request.pinSource, for: request.caller)
                },
                Route(SessionVerbs.setSignOut) { request, options in
                    try await agent.setSignOut(
                        of: request.name, options, pin: request.pin, from: request.pinSource, for: request.caller)
                },
                Route(SessionVerbs.requests) { request, _ in try await agent.programRequests(for: request.caller) },
                Route(SessionVerbs.allow) { request, options in
                    try await agent.allow(
                        request.name, options, pin: try request.demandPIN(), from: request.pinSource,
                        for: request.caller)
                },
                Route(SessionVerbs.refuse) { request, _ in try await agent.refuse(request.name, for: request.caller) },
            ]
    }
}

extension APIRequest {
    /// The PIN that came along. Only our own command calls these verbs, and it asks the person for the PIN itself.
    func demandPIN() throws -> any Secret {
        guard let pin else { throw Failure.needsUnlock }
        return pin
    }
}
