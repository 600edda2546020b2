@testable import Client
@testable import Agent
import Approvals
import Basics
import ApprovalModel

/// The verbs of approvals, as calls.
extension Carrier where Host == any ApprovalHost {
    func connections() async throws -> ConnectionsPayload { try await perform(ApprovalVerbs.connections) }

    func rename(_ name: String, to new: ConnectionName) async throws -> OneConnectionPayload {
        try await perform(ApprovalVerbs.rename, on: name, NewName(name: new))
    }

    func revoke(_ name: String, localOnly: Bool) async throws -> RevokedPayload {
        try await perform(ApprovalVerbs.revoke, on: name, RevokeOptions(localOnly: localOnly))
    }

    func prove(_ name: String) async throws { try await perform(ApprovalVerbs.prove, on: name) }

    func pending(_ connection: String?, known: Bool = false) async throws -> PendingRound {
        try await perform(ApprovalVerbs.pending, PendingRequest(connection: connection, known: known))
    }

    func card(_ ref: String, abbreviated: Bool = false) async throws -> Card {
        try await perform(ApprovalVerbs.authorization, on: ref, CardOptions(abbreviated: abbreviated))
    }

    func history(_ request: HistoryRequest) async throws -> HistoryPayload {
        try await perform(ApprovalVerbs.history, request)
    }

    func candidates(for action: String) async throws -> ConnectionsPayload {
        try await perform(ApprovalVerbs.candidates, CandidatesRequest(link: GivenLink(action)))
    }

    func claim(_ action: String, for connection: String) async throws -> ActionPayload {
        try await perform(ApprovalVerbs.claim, ClaimRequest(link: GivenLink(action), connection: connection))
    }

    func consents(_ connection: String?) async throws -> ConsentsRound {
        try await perform(ApprovalVerbs.consents, ConsentsRequest(connection: connection))
    }

    func revokeConsent(_ ref: String) async throws -> ConsentRevokedPayload {
        try await perform(ApprovalVerbs.revokeConsent, on: ref)
    }
}
