package import Approvals
package import Basics
package import Keys

extension Carrier where Host == any ApprovalHost {
    /// Approves the content that the PIN was entered for. `isGivenUp` is checked while it waits for the bank's final
    /// answer.
    package func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide(ApprovalVerbs.approve, request, .typed(pin, from: source), isGivenUp)
    }

    /// Denies. Takes the PIN if the card says so (`Card.denialNeedsPIN`), and throws `DecisionError.needsPIN` without
    /// it.
    package func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide(ApprovalVerbs.deny, request, pin.map { .typed($0, from: source) }, isGivenUp)
    }

    private func decide(
        _ verb: ApprovalVerb<DecisionRequest.Terms, DecisionPayload>, _ request: DecisionRequest, _ pin: EnteredPIN?,
        _ isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        // Given up too early, the decision is not known yet; then it is given up again.
        let watch = Task {
            while true {
                try await Task.sleep(for: .milliseconds(200))
                if isGivenUp(), (try? await perform(ApprovalVerbs.giveUp, on: request.ref)) != nil { return }
            }
        }
        defer { watch.cancel() }
        return try await perform(verb, on: request.ref, request.terms, pin: pin)
    }
}
