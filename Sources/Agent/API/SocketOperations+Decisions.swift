public import Authenticator
public import Basics

extension SocketOperations {
    public func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide(ApprovalVerbs.approve, request, (pin, source), isGivenUp)
    }

    public func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide(ApprovalVerbs.deny, request, pin.map { ($0, source) }, isGivenUp)
    }

    private func decide(
        _ verb: Verb<DecisionRequest.Terms, DecisionPayload>, _ request: DecisionRequest, _ pin: AgentClient.GivenPIN?,
        _ isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        // Giving up needs another connection: the decision's own is busy until the agent has answered. Asked too early, the
        // agent knows of no decision yet; then it is asked again.
        let watch = Task { [client] in
            while true {
                try await Task.sleep(for: .milliseconds(200))
                if isGivenUp(),
                    (try? await client.ask(ApprovalVerbs.giveUp, on: request.ref, NoInput())) != nil
                {
                    return
                }
            }
        }
        defer { watch.cancel() }
        return try await client.ask(
            verb, on: request.ref, request.terms, pin: pin,
            missing: LookupError(.needsWholeReference, wanted: request.ref))
    }
}
