import Agent
import Display
import FoundationEssentials
import Ledger
import SCA

extension Context {
    /// Where the agent of this home listens.
    func socketPlace() throws -> SocketPlace {
        var environment = ProcessInfo.processInfo.environment
        environment["COUNTERSIGN_HOME"] = nil
        let ordinary = try? StateDirectory(home: nil, environment: environment)
        return try SocketPlace(
            home: database.directory.path, isDefault: database.directory == ordinary,
            runtimeDirectory: Environment.value("XDG_RUNTIME_DIR"))
    }

    /// The agent of this home. One of another version, or of another vault, counts as none.
    func agent() throws -> RunningAgent? {
        // Where no agent can listen none does.
        guard let place = try? socketPlace() else { return nil }
        let found = try AgentConnection.find(
            at: place, vault: try database.record()?.vaultID, mayAsk: prompts.canAsk)
        switch found {
        case .usable(let operations, let handshake):
            return RunningAgent(operations: operations, handshake: handshake)
        case .outdated(let handshake):
            if options.verbose {
                Terminal.say(
                    "an agent of version \(DisplayText(handshake.version).line) runs; it is not used before it is restarted"
                )
            }
            return nil
        case .foreign, nil: return nil
        }
    }

    /// Runs `body` with what it asks for: the agent's where one runs, else on a vault that the PIN opens for this command. With
    /// `mayChoosePIN` a PIN is chosen first where there is none.
    func withOperations<R>(
        mayChoosePIN: Bool = false, _ body: (any Operations) async throws -> R
    ) async throws -> R {
        let isNew = mayChoosePIN && prompts.canAsk ? try !gate.status().isSet : false
        guard !isNew, let agent = try agent() else {
            return try await withOwnOperations(on: isNew ? try setPIN() : try await open(), body)
        }
        if agent.handshake.state != .open { try await unlock(agent) }
        return try await body(agent.operations)
    }

    /// Hands the PIN to the agent.
    @discardableResult
    func unlock(_ agent: RunningAgent) async throws -> StatusPayload {
        guard try gate.status().isSet else { throw PINError(.notSet) }
        return try await withPIN(for: .unlock) { try await agent.operations.unlock($0, from: $1) }
    }

    /// What `status` says, of the agent where one runs.
    func status() async throws -> StatusPayload {
        if let agent = try agent() { return try await agent.operations.status() }
        return StatusPayload(try gate.status(), now: clock.now())
    }
}

/// The agent of this home, and what it said of itself.
struct RunningAgent {
    let operations: SocketOperations
    let handshake: Handshake
}
