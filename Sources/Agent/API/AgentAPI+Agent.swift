extension AgentAPI {
    /// The routes that concern the agent itself.
    static let agentRoutes = [
        Route(.get, "/agent") { .json(try await $0.agent.handshake()) },
        Route(.get, "/status") { .json(try await $0.agent.status()) },
        // When the caller leaves, the prompt is taken back.
        Route(.post, "/unlock", body: .pin, endsWithCaller: true) {
            let pin = try await $0.pin()
            return .json(try await $0.agent.unlock(pin, from: try $0.pinSource(), for: $0.caller))
        },
        Route(.post, "/lock") { .json(try await $0.agent.lock()) },
        Route(.post, "/use") {
            try await $0.agent.use(for: $0.caller)
            return .done
        },
        Route(.get, "/events") { .events(try await $0.agent.events()) },
    ]
}
