package import Approvals
package import Basics
import Glibc
package import Keys
package import AgentWire

/// The whole agent as its socket serves it: the core, and a wing for each job.
package struct ServedAgent: Sendable {
    package let core: AgentCore
    package let approvals: ApprovalWing
    package let sessions: SessionWing

    /// Begins shut.
    @AgentActor
    package init(
        _ core: AgentCore.Dependencies, _ approvals: ApprovalWing.Dependencies, _ sessions: SessionWing.Dependencies
    ) {
        self.core = AgentCore(core)
        self.approvals = ApprovalWing(approvals, on: self.core)
        self.sessions = SessionWing(sessions, on: self.core)
        self.core.wings = [self.approvals, self.sessions]
    }

    @AgentActor
    package func handshake() throws -> Handshake {
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
    package func status() throws -> StatusPayload {
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

    package func unlock(
        _ pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> StatusPayload {
        try await core.unlock(pin, from: source, for: caller)
        return try await status()
    }

    package func lock() async throws -> StatusPayload {
        await core.lock()
        return try await status()
    }

    @AgentActor
    package func use(for caller: CallerContext) throws {
        core.use(for: caller)
        try core.demandOpen()
    }

    package func demandOpen() async throws { try await core.demandOpen() }

    package func events(_ request: EventsRequest) async -> AsyncThrowingStream<AgentEvent, any Error> {
        await core.events(of: request.includesSessions ? [.sessions] : [])
    }
}
