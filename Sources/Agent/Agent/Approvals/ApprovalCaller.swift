import Approvals
import Basics
import Keys

/// The wing of approvals, asked by one caller.
struct ApprovalCaller: ApprovalHost {
    let wing: ApprovalWing
    let caller: CallerContext

    func operations(to change: String?) async throws -> LocalOperations {
        if let change { try await wing.demandYes(to: change, for: caller) }
        return try await wing.localOperations(for: caller)
    }

    func known(_ connection: String?) async throws -> PendingRound { try await wing.known(connection) }

    func approve(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload {
        try await awaiting(request) { try await wing.decide(.approve, request, pin, for: caller) }
    }

    func deny(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload {
        try await awaiting(request) { try await wing.decide(.deny, request, pin, for: caller) }
    }

    /// A decision that was begun is finished. When the caller leaves, nobody waits for the bank's final word.
    private func awaiting(
        _ request: DecisionRequest, _ decide: () async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        let departure = caller.presence.onDeparture { Task { await wing.giveUp(request.ref) } }
        defer { caller.presence.forget(departure) }
        return try await decide()
    }

    @discardableResult
    func giveUp(_ ref: String) async -> Bool { await wing.giveUp(ref) }
}
