public import Authenticator
public import Basics
public import Sessions

/// An agent that listens on its socket, and how it described itself.
public struct RunningAgent: Sendable {
    let client: AgentClient
    public let handshake: Handshake

    /// Carries out the verbs of approvals.
    public var approvals: Carrier<any ApprovalHost> { Carrier(agent: client) }
    /// Carries out the verbs of sessions.
    public var sessions: Carrier<any SessionHost> { Carrier(agent: client) }
    /// Carries out the verbs that only an agent has.
    package var own: Carrier<AgentCall> { Carrier(agent: client) }

    /// Opens the agent. Without a PIN the agent asks for it by its own prompt.
    @discardableResult
    public func unlock(_ pin: EnteredPIN?) async throws -> StatusPayload {
        try await client.perform(AgentVerbs.unlock, NoInput(), pin: pin)
    }

    /// Shuts the agent, which may be of another version.
    public func lock() async throws { try await client.tell(AgentVerbs.lock) }
}
