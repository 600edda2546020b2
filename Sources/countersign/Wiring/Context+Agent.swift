import AgentWire
import Client
import Records
import Approvals
import Basics
import Display
import Ledger
import LocalSocket
import ApprovalModel
import Keys
import Vault

extension Context {
    /// Where the agent of this home listens.
    func socketPlace() throws -> SocketPlace {
        var environment = Environment.all
        environment["COUNTERSIGN_HOME"] = nil
        let ordinary = try? StateDirectory(home: nil, environment: environment)
        return try SocketPlace(
            home: database.directory.path, isDefault: database.directory == ordinary,
            runtimeDirectory: Environment.value("XDG_RUNTIME_DIR"))
    }

    /// Where the agent of this home is found.
    var agentPlace: AgentPlace {
        AgentPlace(
            home: database.directory.path, socket: try? socketPlace(),
            vault: { [database] in try database.record()?.vaultID }, mayAsk: prompts.canAsk,
            prompt: PromptPlace(environment: Environment.all, tty: Terminal.name), callsInPlace: callsInPlace)
    }

    /// The agent of this home; nil also if it is of another version or vault.
    func agent() throws -> RunningAgent? {
        switch try agentPlace.found() {
        case .usable(let agent):
            if options.verbose {
                Terminal.say(
                    "the agent (process \(agent.handshake.pid)) calls the banks; in the foreground, with --verbose, it names each call"
                )
            }
            if let file = options.caFile {
                Terminal.say(
                    """
                    warning: the agent calls the banks, and trusts what it was started with; --ca-file changes nothing
                    hint: countersign agent --stop, then: countersign agent --daemonize --ca-file \(DisplayText(file).line)
                    """)
            }
            return agent
        case .outdated(let agent):
            if options.verbose {
                Terminal.say(
                    "an agent of version \(DisplayText(agent.handshake.version).line) runs; it is not used before it is restarted"
                )
            }
            return nil
        case .foreign, .silent, nil: return nil
        }
    }

    /// Asks for the PIN, and opens the agent with it.
    @discardableResult
    func unlock(_ agent: RunningAgent, for purpose: PINPurpose = .unlock) async throws -> StatusPayload {
        guard try gate.status().isSet else { throw PINError.notSet }
        try readyKeyring()
        return try await withPIN(for: purpose) { pin, source in
            try await terminal.awaitingAgent { try await agent.unlock(.typed(pin, from: source)) }
        }
    }

    /// Lets a locked keyring ask the person before the PIN is typed for the agent, while the terminal can explain its
    /// question. Ignores other errors: the agent may reach another keyring than this process.
    func readyKeyring() throws {
        guard prompts.canAsk else { return }
        do {
            try secretService.check()
        } catch let error as SecretServiceError where error.kind == .dismissed {
            throw error
        } catch {}
    }

    /// The status, from the agent if one runs, and the items of the keyring that differ from the stored values.
    func status() async throws -> StatusPayload {
        var status = try await status(of: try await agentPlace.listener())
        do {
            let check = KeyringCheck(database, secrets: Settings.secretNames, patience: 2)
            try check.deviceSecret()
            let findings = try check.otherItems()
            if !findings.isEmpty { status.damaged = findings.words }
        } catch let error as SecretServiceError where [.deviceSecretDamaged, .deviceSecretMissing].contains(error.kind)
        {
            status.damaged = error.reason
        } catch {}
        return status
    }

    /// The status after a change of the PIN, which is valid wherever an agent listens.
    func statusAfterChange() async throws -> StatusPayload { try await status(of: try agentPlace.found()) }

    private func status(of found: AgentConnection?) async throws -> StatusPayload {
        switch found {
        case .usable(let agent): try await agent.own.perform(AgentVerbs.status)
        case .outdated(let agent): try status(of: agent.handshake.version, agent.handshake.state)
        case .silent: throw agentPlace.silentAgent()
        case .foreign, nil: try ownStatus()
        }
    }

    /// Opens the agent with the PIN. Throws if no agent of this version runs.
    func unlock() async throws -> StatusPayload {
        guard try gate.status().isSet else { throw PINError.notSet }
        switch try await agentPlace.listener() {
        case .usable(let agent): return try await unlock(agent)
        case .outdated(let agent): throw Failure.outdatedAgent(agent.handshake.version)
        case .silent: throw agentPlace.silentAgent()
        case .foreign, nil: throw Failure.noAgent
        }
    }

    /// Shuts the agent, of any version. Throws if it may still be open.
    func lock() async throws -> StatusPayload {
        switch try await agentPlace.listener() {
        case .usable(let agent): return try await agent.own.perform(AgentVerbs.lock)
        case .outdated(let agent):
            try await agent.lock()
            return try status(of: agent.handshake.version, .shut)
        case .silent: throw agentPlace.silentAgent()
        case .foreign, nil: return try ownStatus()
        }
    }

    /// The status as this process knows it, without asking an agent.
    func ownStatus() throws -> StatusPayload {
        StatusPayload(try gate.status(), try connectionCounts(), now: clock.now())
    }

    func connectionCounts() throws -> ConnectionCounts { try SealedConnections.counts(in: database) }

    private func status(of version: String, _ state: Handshake.State) throws -> StatusPayload {
        var status = try ownStatus()
        status.locked = state != .open
        status.keysInMemory = state != .shut
        status.agent = .init(version: DisplayText(version).line)
        return status
    }
}

extension Failure {
    static let noAgent = Failure(.internal, "no agent runs for this home", hint: startAgent)
    static func outdatedAgent(_ version: String) -> Failure {
        Failure(
            .internal,
            "the agent that runs is of version \(DisplayText(version).line), this program of \(ProductVersion.text)",
            hint: startAgent)
    }
}
