import ApprovalRecords
import Agent
import Authenticator
import Basics
import Display
import Ledger
import LocalSocket

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

    /// What listens where the agent of this home does.
    private func found() throws -> AgentConnection? {
        // Where no agent can listen none does.
        guard let place = try? socketPlace() else { return nil }
        return try AgentConnection.find(
            at: place, home: database.directory.path, vault: { try database.record()?.vaultID },
            mayAsk: prompts.canAsk,
            prompt: PromptPlace(environment: Environment.all, tty: Terminal.name),
            callsInPlace: callsInPlace)
    }

    /// The same, for those who must know whether an agent runs. Throws when one does that listens elsewhere.
    func listener() async throws -> AgentConnection? {
        // One that starts or ends has the lock, and no socket.
        var tries = 20
        while true {
            let found = try found()
            switch found {
            case .usable, .outdated, .silent: return found
            case .foreign, nil: break
            }
            guard let holder = try AgentLock.holder(inHome: database.directory.path) else { return found }
            guard tries > 0 else { throw Failure.hiddenAgent(holder.pid) }
            tries -= 1
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The agent of this home. One of another version, or of another vault, counts as none.
    func agent() throws -> RunningAgent? {
        switch try found() {
        case .usable(let operations, let handshake):
            if options.verbose {
                Terminal.say(
                    "the agent (process \(handshake.pid)) calls the banks; in the foreground, with --verbose, it names each call"
                )
            }
            if let file = options.caFile {
                Terminal.say(
                    """
                    warning: the agent calls the banks, and trusts what it was started with; --ca-file changes nothing
                    hint: countersign agent --stop, then: countersign agent --daemonize --ca-file \(DisplayText(file).line)
                    """)
            }
            return RunningAgent(operations: operations, handshake: handshake)
        case .outdated(_, let handshake):
            if options.verbose {
                Terminal.say(
                    "an agent of version \(DisplayText(handshake.version).line) runs; it is not used before it is restarted"
                )
            }
            return nil
        case .foreign, .silent, nil: return nil
        }
    }

    /// The agent of this home, if one runs and is open. Starts none: where the service manager listens, to connect would.
    func openAgent() -> SocketOperations? {
        guard (try? AgentLock.holder(inHome: database.directory.path)) != nil,
            case .usable(let agent, let handshake)? = try? found(),
            handshake.state == .open
        else { return nil }
        return agent
    }

    /// Runs `body` with what it asks for: the agent's where one runs, else on a vault that the PIN opens for this command. A PIN
    /// file does not open the agent, which a person may have locked. With `mayChoosePIN` a PIN is chosen first where there is
    /// none. `fingerprint`: what the command was told to approve and nothing else, so that a PIN from a file approves it by opening.
    func withOperations<R>(
        mayChoosePIN: Bool = false, fingerprint: String? = nil, _ body: (any Operations) async throws -> R
    ) async throws -> R {
        let isNew = mayChoosePIN && prompts.canAsk ? try !gate.status().isSet : false
        guard !isNew, let agent = try agent(), agent.handshake.state == .open || options.effectivePINFile == nil else {
            let vault = isNew ? try setPIN() : try await open()
            let openedFor = options.effectivePINFile == nil ? nil : fingerprint
            return try await withOwnOperations(on: vault, openedFor: openedFor, body)
        }
        if agent.handshake.state != .open { try await unlock(agent, for: .agent) }
        return try await body(agent.operations)
    }

    /// Hands the PIN to the agent.
    @discardableResult
    func unlock(_ agent: RunningAgent, for purpose: PINPurpose = .unlock) async throws -> StatusPayload {
        guard try gate.status().isSet else { throw PINError(.notSet) }
        try readyKeyring()
        return try await withPIN(for: purpose) { pin, source in
            try await terminal.awaitingAgent { try await agent.operations.unlock(pin, from: source) }
        }
    }

    /// Lets a locked keyring ask the person before the PIN is typed for the agent, where it can be said what it asks. Whether
    /// there is a keyring is judged by the agent: it may be another one than this process would reach.
    func readyKeyring() throws {
        guard prompts.canAsk else { return }
        do {
            try secretService.check()
        } catch let error as SecretServiceError where error.code == .dismissed {
            throw error
        } catch {}
    }

    /// What to say of one that did not say who it is.
    func silentAgent() -> Failure { .silentAgent((try? socketPlace().holder())?.pid) }

    /// What `status` says, of the agent where one runs.
    func status() async throws -> StatusPayload { try await status(of: try await listener()) }

    /// The same after a change of the PIN, which stands wherever the agent listens.
    func statusAfterChange() async throws -> StatusPayload { try await status(of: try found()) }

    private func status(of found: AgentConnection?) async throws -> StatusPayload {
        switch found {
        case .usable(let operations, _): try await operations.status()
        case .outdated(_, let handshake): try status(of: handshake.version, handshake.state)
        case .silent: throw silentAgent()
        case .foreign, nil: try ownStatus()
        }
    }

    /// Opens the agent with the PIN. Throws when there is none of this version.
    func unlock() async throws -> StatusPayload {
        guard try gate.status().isSet else { throw PINError(.notSet) }
        switch try await listener() {
        case .usable(let operations, let handshake):
            return try await unlock(RunningAgent(operations: operations, handshake: handshake))
        case .outdated(_, let handshake): throw Failure.outdatedAgent(handshake.version)
        case .silent: throw silentAgent()
        case .foreign, nil: throw Failure.noAgent
        }
    }

    /// Shuts the agent, of whichever version it is. Throws when it may still be open.
    func lock() async throws -> StatusPayload {
        switch try await listener() {
        case .usable(let operations, _): return try await operations.shut()
        case .outdated(let operations, let handshake):
            try await operations.lock()
            return try status(of: handshake.version, .shut)
        case .silent: throw silentAgent()
        case .foreign, nil: return try ownStatus()
        }
    }

    /// What `status` says without the word of an agent.
    func ownStatus() throws -> StatusPayload {
        StatusPayload(try gate.status(), ended: try SealedConnections.ended(in: database), now: clock.now())
    }

    private func status(of version: String, _ state: Handshake.State) throws -> StatusPayload {
        var status = try ownStatus()
        status.locked = state != .open
        status.keysInMemory = state != .shut
        status.agent = .init(version: DisplayText(version).line)
        return status
    }
}

extension Failure {
    static let noAgent = Failure(.internal, "no agent runs for this home", hint: startHint)
    static func outdatedAgent(_ version: String) -> Failure {
        Failure(
            .internal,
            "the agent that runs is of version \(DisplayText(version).line), this program of \(ProductVersion.text)",
            hint: startHint)
    }
    private static let startHint = "countersign agent --daemonize"
    static func hiddenAgent(_ pid: Int32?) -> Failure {
        Failure(
            .internal,
            "an agent of this home runs\(pid.map { " (process \($0))" } ?? ""), but does not listen where this command looks for it",
            hint: "set XDG_RUNTIME_DIR as it was when the agent started, or end it: countersign agent --stop")
    }
    fileprivate static func silentAgent(_ pid: Int32?) -> Failure {
        Failure(
            .internal, "something listens where the agent does, but did not say who it is",
            hint: "run it again" + (pid.map { "; if that does not help: kill \($0), then: \(startHint)" } ?? ""))
    }
}

/// The agent of this home, and what it said of itself.
struct RunningAgent {
    let operations: SocketOperations
    let handshake: Handshake
}
