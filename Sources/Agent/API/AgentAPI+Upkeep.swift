internal import Sessions

extension AgentAPI {
    /// The routes of one session that is there, besides those that need only the sessions at hand.
    static func upkeep(of agent: any SessionServing) -> [Route] {
        [
            Route(SessionVerbs.signOut.verb) { request, options in
                try await agent.signOut(request.name, options, for: request.caller)
            }
        ]
    }
}
