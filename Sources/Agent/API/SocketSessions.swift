public import Basics
public import Sessions

/// The sessions of a running agent, asked for over its socket.
public struct SocketSessions: SessionOperations {
    let client: AgentClient

    init(_ client: AgentClient) { self.client = client }

    public func perform<Input, Output>(
        _ verb: SessionVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output { try await client.ask(verb.verb, on: name, input) }

    public func token(_ request: TokenRequest) async throws -> TokenPayload {
        try await client.ask(SessionVerbs.token, request)
    }

    public func headers(_ request: HeadersRequest) async throws -> HeadersPayload {
        try await client.ask(SessionVerbs.headers, request)
    }

    public func history(_ request: SessionHistoryRequest) async throws -> SessionHistoryPayload {
        try await client.ask(SessionVerbs.history, request)
    }

    public func allow(_ options: GrantOptions, pin: EnteredPIN) async throws -> OneGrantPayload {
        try await client.ask(SessionVerbs.allowProgram, options, pin: try pin.typed())
    }

    public func login(_ request: LoginRequest) throws -> any LoginSteps { SocketLogin(request, client) }

    public func settle() {}

    public func setSignOut(
        of name: String, _ options: SignOutChange, pin: EnteredPIN?
    ) async throws -> OneSessionPayload {
        try await client.ask(SessionVerbs.setSignOut, on: name, options, pin: try pin?.typed())
    }

    // MARK: Requests of programs

    public func programRequests() async throws -> RequestsPayload {
        try await client.ask(SessionVerbs.requests, NoInput())
    }

    /// Grants the request of a program, by the person's PIN.
    public func allowRequest(
        _ id: String, _ options: AllowOptions, pin: any Secret, from source: PINSource
    ) async throws -> AnsweredRequestPayload {
        try await client.ask(SessionVerbs.allow, on: id, options, pin: (pin, source))
    }

    public func refuseRequest(_ id: String) async throws -> AnsweredRequestPayload {
        try await client.ask(SessionVerbs.refuse, on: id, NoInput())
    }
}

extension EnteredPIN {
    /// The PIN to send to the agent, which checks it itself. Throws a failure of kind `locked` where it was checked here and wiped.
    func typed() throws -> (any Secret, PINSource) {
        guard case .typed(let pin, let source) = self else { throw Failure.needsPIN }
        return (pin, source)
    }
}
