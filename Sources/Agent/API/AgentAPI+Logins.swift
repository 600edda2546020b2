internal import Sessions

extension AgentAPI {
    static func logins(of agent: any SessionServing) -> [Route] {
        [
            Route(SessionVerbs.beginLogin) { request, wanted in
                let opened = try await agent.beginLogin(wanted, for: request.caller)
                _ = request.caller.presence.onDeparture { Task { await agent.endLogin(opened.id) } }
                return opened
            },
            Route(SessionVerbs.acceptLogin) { request, acceptance in
                try await agent.acceptLogin(request.name, acceptance, for: request.caller)
            },
            Route(SessionVerbs.redirectLogin) { request, redirect in
                try await agent.redirectLogin(request.name, redirect.address, for: request.caller)
            },
            Route(SessionVerbs.login) { request, wait in
                try await agent.login(request.name, wait, for: request.caller)
            },
            Route.doing(SessionVerbs.endLogin) { request, _ in await agent.endLogin(request.name) },
        ]
    }
}
