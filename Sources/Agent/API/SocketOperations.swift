public import Authenticator
public import Basics
public import SCA

/// The operations of a running agent, asked for over its socket.
public struct SocketOperations: Operations {
    let client: AgentClient

    init(_ client: AgentClient) { self.client = client }

    /// The session operations of the same agent.
    public var sessions: SocketSessions { SocketSessions(client) }

    public var locksItself: Bool { true }

    // MARK: The agent

    public func status() async throws -> StatusPayload { try await client.ask(AgentVerbs.status, NoInput()) }

    /// Opens the agent. Without a PIN the agent asks for it by its own prompt.
    public func unlock(_ pin: (any Secret)?, from source: PINSource) async throws -> StatusPayload {
        try await client.ask(AgentVerbs.unlock, NoInput(), pin: pin.map { ($0, source) })
    }

    /// Shuts the agent that the PIN opened.
    public func shut() async throws -> StatusPayload { try await client.ask(AgentVerbs.lock, NoInput()) }

    /// As `shut`, also for an agent of another version.
    public func lock() async throws { try await client.tell(AgentVerbs.lock) }

    /// Throws only when the agent is locked: nothing is lost if it does not learn of a key press.
    public func use() async throws {
        do {
            try await client.tell(AgentVerbs.use)
        } catch let failure as Failure where failure.kind != .locked {}
    }

    // MARK: Approvals

    public func perform<Input, Output>(
        _ verb: VaultVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output {
        try await client.ask(verb.verb, on: name, input, missing: LookupError(verb.missing, wanted: name))
    }

    public func pending(_ connection: String?) async throws -> PendingRound {
        try await client.round(PendingRequest(connection: connection))
    }

    /// The authorizations that the agent knows of: it asks no bank.
    public func known() async throws -> PendingRound {
        try await client.round(PendingRequest(connection: nil, known: true))
    }

    // MARK: Enrollment

    public func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps {
        SocketEnrollment(.link(link, name: name), client)
    }

    public func reconnect(_ name: String, by link: String?) throws -> any EnrollmentSteps {
        SocketEnrollment(.again(name, link: link), client)
    }
}
