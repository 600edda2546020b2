package import Approvals
import Basics
package import Keys
package import Sessions
import Verbs
package import AgentWire

/// An agent that listens on its socket, and how it described itself.
package struct RunningAgent: Sendable {
    let client: AgentClient
    package let handshake: Handshake

    /// Carries out the verbs of approvals.
    package var approvals: Carrier<any ApprovalHost> { Carrier(agent: client) }
    /// Carries out the verbs of sessions.
    package var sessions: Carrier<any SessionHost> { Carrier(agent: client) }
    /// Carries out the verbs that only an agent has.
    package var own: Carrier<any AgentHost> { Carrier(agent: client) }

    /// Opens the agent. Without a PIN the agent asks for it by its own prompt.
    @discardableResult
    package func unlock(_ pin: EnteredPIN?) async throws -> StatusPayload {
        try await client.perform(AgentVerbs.unlock, NoInput(), pin: pin)
    }

    /// Shuts the agent, which may be of another version.
    package func lock() async throws { try await client.tell(AgentVerbs.lock) }
}
