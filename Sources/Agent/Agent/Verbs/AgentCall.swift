import Approvals
import Basics
import Sessions
import Verbs
import AgentWire

/// The agent, asked by one caller.
struct AgentCall: AgentHost {
    let agent: ServedAgent
    let caller: CallerContext

    func handshake() async throws -> Handshake { try await agent.handshake() }
    func status() async throws -> StatusPayload { try await agent.status() }

    func unlock(_ call: VerbCall<NoInput>) async throws -> StatusPayload {
        let pin = try call.pin?.typed()
        return try await agent.unlock(pin?.secret, from: pin?.source ?? .person, for: caller)
    }

    func lock() async throws -> StatusPayload { try await agent.lock() }
    func use() async throws { try await agent.use(for: caller) }

    func events(_ request: EventsRequest) async -> AsyncThrowingStream<AgentEvent, any Error> {
        await agent.events(request)
    }
}

/// The agent keeps an enrollment that was begun until it is ended.
extension AgentCall {
    func beginEnrollment(_ wanted: NewEnrollment) async throws -> OpenEnrollment {
        let approvals = agent.approvals
        let opened = try await approvals.beginEnrollment(wanted.request, for: caller)
        if wanted.whileConnected {
            _ = caller.presence.onDeparture { Task { await approvals.endEnrollment(opened.id) } }
        }
        return opened
    }

    func accept(_ call: VerbCall<Acceptance>) async throws -> EnrollmentNext {
        _ = try await agent.approvals.enrollment(call.name)
        try await agent.approvals.demandYes(to: "connects a bank, for which keys are made", for: caller)
        return try await agent.approvals.accept(call.name, returnURL: call.input.returnUrl)
    }

    func redirect(_ call: VerbCall<IncomingAddress>) async throws -> RedirectVerdict {
        try await agent.approvals.redirect(call.name, call.input.address)
    }

    func endEnrollment(_ id: String) async { await agent.approvals.endEnrollment(id) }
}

/// The agent ends a login when its caller leaves.
extension AgentCall {
    func beginLogin(_ request: LoginRequest) async throws -> OpenLogin {
        let sessions = agent.sessions
        let opened = try await sessions.beginLogin(request, for: caller)
        _ = caller.presence.onDeparture { Task { await sessions.endLogin(opened.id) } }
        return opened
    }

    func acceptLogin(_ call: VerbCall<LoginAcceptance>) async throws -> LoginNext {
        try await agent.sessions.acceptLogin(call.name, call.input, for: caller)
    }

    func redirectLogin(_ call: VerbCall<LoginRedirect>) async throws -> LoginVerdict {
        try await agent.sessions.redirectLogin(call.name, call.input.address, for: caller)
    }

    func login(_ call: VerbCall<LoginWait>) async throws -> LoginVerdict {
        try await agent.sessions.login(call.name, call.input, for: caller)
    }

    func endLogin(_ id: String) async { await agent.sessions.endLogin(id) }
}

extension AgentCall {
    func ready(_ request: ReadyRequest) async throws -> ReadyPayload {
        try await agent.sessions.ready(request, for: caller)
    }

    func revokeOwn() async throws { try await agent.sessions.revokeOwn(for: caller) }
    func requests() async throws -> RequestsPayload { try await agent.sessions.programRequests(for: caller) }

    func allow(_ call: VerbCall<AllowOptions>) async throws -> AnsweredRequestPayload {
        let pin = try call.demandPIN().typed()
        return try await agent.sessions.allow(call.name, call.input, pin: pin.secret, from: pin.source, for: caller)
    }

    func refuse(_ id: String) async throws -> AnsweredRequestPayload {
        try await agent.sessions.refuse(id, for: caller)
    }
}

extension AgentAPI {
    /// Serves all verbs.
    ///
    /// - Parameter note: called with the caller, before each request.
    package init(_ agent: ServedAgent, note: @escaping @Sendable (CallerContext) -> Void = { _ in }) {
        // `/grants/own` must come before the routes that have an id in the same place.
        let routes =
            AgentVerbs.all.map { Route($0) { AgentCall(agent: agent, caller: $0) } }
            + ApprovalVerbs.all.map { Route($0) { ApprovalCaller(wing: agent.approvals, caller: $0) } }
            + SessionVerbs.all.map { Route($0) { SessionCaller(wing: agent.sessions, caller: $0) } }
        self.init(routes, demandOpen: { try await agent.demandOpen() }, note: note)
    }
}
