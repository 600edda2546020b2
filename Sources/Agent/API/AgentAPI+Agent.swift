extension AgentAPI {
    static func routes(of agent: any AgentServing) -> [Route] {
        [
            Route(AgentVerbs.handshake) { _, _ in try await agent.handshake() },
            Route(AgentVerbs.status) { _, _ in try await agent.status() },
            Route(AgentVerbs.unlock) { request, _ in
                try await agent.unlock(request.pin, from: request.pinSource, for: request.caller)
            },
            Route(AgentVerbs.lock) { _, _ in try await agent.lock() },
            Route.doing(AgentVerbs.use) { request, _ in try await agent.use(for: request.caller) },
            Route.streaming(AgentVerbs.events) { request, wanted in
                if wanted.includesSessions, !request.caller.isOwnProgram { throw Refusal.foreignProgram }
                return try await agent.events(wanted)
            },
        ]
    }
}
