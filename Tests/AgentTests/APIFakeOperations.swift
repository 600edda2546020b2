import Authenticator
import Basics
import SCA
import Synchronization
@testable import Agent

/// The operations of a fake agent.
struct FakeOperations: Operations {
    let agent: FakeAgent

    var locksItself: Bool { true }

    func connections() async throws -> ConnectionsPayload {
        try agent.note("connections")
        return APISamples.connections
    }

    func rename(_ name: String, to new: ConnectionName) async throws -> OneConnectionPayload {
        try agent.note("rename", name, new.text)
        return APISamples.oneConnection
    }

    func revoke(_ name: String, localOnly: Bool) async throws -> RevokedPayload {
        try agent.note("revoke", name, "\(localOnly)")
        return APISamples.revoked
    }

    func prove(_ name: String) async throws { try agent.note("prove", name) }

    func pending(_ connection: String?) async throws -> PendingRound {
        try agent.note("pending", connection)
        return agent.state.withLock { $0.round }
    }

    func card(_ ref: String, abbreviated: Bool, withSource: Bool) async throws -> Card {
        try agent.note("card", ref, "\(abbreviated)")
        return APISamples.oneCard
    }

    func history(_ request: HistoryRequest) async throws -> HistoryPayload {
        try agent.note(
            "history", request.connection, request.since, request.limit.map { "\($0)" }, "\(request.isVerified)")
        return APISamples.history
    }

    func candidates(for action: String) async throws -> ConnectionsPayload {
        try agent.note("candidates", action)
        return APISamples.connections
    }

    func claim(_ action: String, for connection: String) async throws -> ActionPayload {
        try agent.note("claim", action, connection)
        return APISamples.action
    }

    func consents(_ connection: String?) async throws -> ConsentsRound {
        try agent.note("consents", connection)
        return APISamples.consents
    }

    func revokeConsent(_ ref: String) async throws -> ConsentRevokedPayload {
        try agent.note("revokeConsent", ref)
        return APISamples.consentRevoked
    }

    // The routes ask the agent itself for these.

    struct AskedOperations: Error {}

    func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload { throw AskedOperations() }

    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload { throw AskedOperations() }

    func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps { throw AskedOperations() }
    func reconnect(_ name: String) throws -> any EnrollmentSteps { throw AskedOperations() }
    func events() async throws -> AsyncThrowingStream<Event, any Error> { throw AskedOperations() }
    func use() async throws { throw AskedOperations() }
    func lock() async throws { throw AskedOperations() }
}
