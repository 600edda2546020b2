public import Authenticator
public import Basics
import Glibc

/// The whole agent as its socket serves it: the core, and a wing for each job.
public struct ServedAgent: Sendable {
    public let core: AgentCore
    public let approvals: Approvals
    public let sessions: SessionWing

    /// Begins shut.
    @AgentActor
    public init(
        _ core: AgentCore.Dependencies, _ approvals: Approvals.Dependencies, _ sessions: SessionWing.Dependencies
    ) {
        self.core = AgentCore(core)
        self.approvals = Approvals(approvals, on: self.core)
        self.sessions = SessionWing(sessions, on: self.core)
        self.core.wings = [self.approvals, self.sessions]
    }

    @AgentActor
    public func handshake() throws -> Handshake {
        let state: Handshake.State =
            switch core.tick() {
            case .open: .open
            case .hidden: .hidden
            case .shut: .shut
            }
        return Handshake(
            version: ProductVersion.text, vault: try core.dependencies.vaultID(), pid: getpid(), state: state,
            waiting: approvals.waiting, sessions: sessions.reach)
    }

    @AgentActor
    public func status() throws -> StatusPayload {
        let connections = try approvals.dependencies.connectionCounts()
        var status = StatusPayload(
            try core.dependencies.gate.status(), connections, now: core.dependencies.clock.now())
        switch core.tick() {
        case .open: (status.locked, status.keysInMemory) = (false, true)
        case .hidden: status.keysInMemory = true
        case .shut: break
        }
        status.waiting = approvals.knownWaiting
        status.agent = .init(version: ProductVersion.text)
        return status
    }

    public func unlock(
        _ pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> StatusPayload {
        try await core.unlock(pin, from: source, for: caller)
        return try await status()
    }

    public func lock() async throws -> StatusPayload {
        await core.lock()
        return try await status()
    }

    @AgentActor
    public func use(for caller: CallerContext) throws {
        core.use(for: caller)
        try core.demandOpen()
    }

    public func demandOpen() async throws { try await core.demandOpen() }

    public func events(_ request: EventsRequest) async -> AsyncThrowingStream<AgentEvent, any Error> {
        await core.events(of: request.includesSessions ? [.sessions] : [])
    }
}
