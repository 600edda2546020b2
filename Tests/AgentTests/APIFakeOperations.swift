import Authenticator
import Basics
import SCA
import Testing
@testable import Agent

/// The operations of a fake agent.
struct FakeOperations: Operations {
    let agent: FakeAgent

    var locksItself: Bool { true }

    /// Notes what was asked for, and answers with the verb's sample.
    func perform<Input, Output>(
        _ verb: VaultVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output {
        let (words, sample): ([String?], any Sendable) =
            switch input {
            case let new as NewName: (["rename", name, new.name.text], APISamples.oneConnection)
            case let options as RevokeOptions: (["revoke", name, "\(options.localOnly)"], APISamples.revoked)
            case let options as CardOptions: (["card", name, "\(options.abbreviated)"], APISamples.oneCard)
            case let request as HistoryRequest:
                (
                    [
                        "history", request.connection, request.since?.text, request.limit.map { "\($0)" },
                        "\(request.isVerified)",
                    ],
                    APISamples.history
                )
            case let action as CandidatesRequest: (["candidates", action.link], APISamples.connections)
            case let claim as ClaimRequest: (["claim", claim.link, claim.connection], APISamples.action)
            case let request as ConsentsRequest: (["consents", request.connection], APISamples.consents)
            default: try Self.withoutInput(verb.verb.rules.name, name)
            }
        try agent.note(words)
        return try #require(sample as? Output)
    }

    private static func withoutInput(_ verb: String, _ name: String) throws -> ([String?], any Sendable) {
        switch verb {
        case "connections": ([verb], APISamples.connections)
        case "prove": ([verb, name], NoOutput())
        case "revokeConsent": ([verb, name], APISamples.consentRevoked)
        default: throw AskedOperations()
        }
    }

    func pending(_ connection: String?) async throws -> PendingRound {
        try agent.note("pending", connection)
        return agent.state.withLock { $0.round }
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
    func reconnect(_ name: String, by link: String?) throws -> any EnrollmentSteps { throw AskedOperations() }
    func events() async throws -> AsyncThrowingStream<Event, any Error> { throw AskedOperations() }
    func use() async throws { throw AskedOperations() }
    func lock() async throws { throw AskedOperations() }
}
