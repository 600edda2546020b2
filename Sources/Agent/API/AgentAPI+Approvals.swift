internal import Authenticator
internal import Basics

extension AgentAPI {
    static func routes(of agent: any ApprovalServing) -> [Route] {
        ApprovalVerbs.onVault.map { Route($0, of: agent) } + [
            Route.replying(ApprovalVerbs.pending) { request, wanted in
                .round(
                    wanted.known
                        ? try await agent.known(wanted.connection)
                        : try await agent.operations(for: request.caller).pending(wanted.connection))
            },
            Route(ApprovalVerbs.approve) { request, terms in
                let decision = DecisionRequest(ref: request.name, terms)
                return try await agent.awaiting(decision, of: request.caller) {
                    try await agent.approve(decision, pin: request.pin, from: request.pinSource, for: request.caller)
                }
            },
            Route(ApprovalVerbs.deny) { request, terms in
                let decision = DecisionRequest(ref: request.name, terms)
                return try await agent.awaiting(decision, of: request.caller) {
                    try await agent.deny(decision, pin: request.pin, from: request.pinSource, for: request.caller)
                }
            },
            Route.doing(ApprovalVerbs.giveUp) { request, _ in
                guard await agent.giveUp(request.name) else {
                    throw Failure(.notFound, "no decision on this is under way")
                }
            },
            Route(ApprovalVerbs.beginEnrollment) { request, wanted in
                let opened = try await agent.beginEnrollment(wanted.request, for: request.caller)
                if wanted.whileConnected {
                    _ = request.caller.presence.onDeparture { Task { await agent.endEnrollment(opened.id) } }
                }
                return opened
            },
            Route(ApprovalVerbs.accept) { request, acceptance in
                let steps = try await agent.steps(of: request.name)
                try await agent.demandYes(to: "connects a bank, for which keys are made", for: request.caller)
                return try await steps.accept(returnURL: acceptance.returnUrl)
            },
            Route(ApprovalVerbs.redirect) { request, incoming in
                try await agent.steps(of: request.name).take(incoming.address)
            },
            Route.doing(ApprovalVerbs.endEnrollment) { request, _ in await agent.endEnrollment(request.name) },
        ]
    }
}

extension ApprovalServing {
    /// A decision that was begun is finished. When the caller leaves, nobody waits for the bank's final word.
    fileprivate func awaiting(
        _ request: DecisionRequest, of caller: CallerContext, _ decide: () async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        let departure = caller.presence.onDeparture { Task { await giveUp(request.ref) } }
        defer { caller.presence.forget(departure) }
        return try await decide()
    }

    fileprivate func steps(of enrollment: String) async throws -> any EnrollmentSteps {
        guard let steps = try await self.enrollment(enrollment) else { throw EnrollmentError(.outOfTurn) }
        return steps
    }
}
