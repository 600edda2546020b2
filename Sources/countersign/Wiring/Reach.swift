import AgentWire
import Client
import Approvals
import Basics
import Keys
import Sessions

/// Where the verbs of a command are carried out, and the state that an agent must be in for them.
struct Reach<J: Job>: Sendable {
    enum Carriers {
        case agentAlone
        /// The agent if one runs. A PIN file opens a vault for this command alone, unless `takesOpenAgent` and the agent is ready: a person may
        /// have locked it.
        case agentOrVault(takesOpenAgent: Bool)
        case vaultAlone
    }

    let carriers: Carriers
    /// Whether the agent must be unlocked only where a person is: a program without a terminal gets only tokens that the agent allows it.
    var unlocksForPersonOnly = false
    /// Whether an agent that describes itself so can carry the verbs out. Else it is unlocked first.
    let isReady: @Sendable (Handshake) -> Bool
}

extension Reach where J == ApprovalJob {
    static let approvals = Reach(carriers: .agentOrVault(takesOpenAgent: true)) { $0.state == .open }
}

extension Reach where J == SessionJob {
    /// For the verbs that other programs have, too.
    static let sessions = Reach(carriers: .agentOrVault(takesOpenAgent: false), unlocksForPersonOnly: true) {
        $0.sessions == .atHand
    }
    static let sessionsAtHand = Reach(carriers: .agentOrVault(takesOpenAgent: false)) { $0.sessions == .atHand }
    /// Only an open agent has the log's key.
    static let sessionsAndLog = Reach(carriers: .agentOrVault(takesOpenAgent: false)) {
        $0.state == .open && $0.sessions == .atHand
    }
    static let ownSessions = Reach(carriers: .vaultAlone) { _ in false }
}

extension Reach where J == ProgramJob {
    static let programs = Reach(carriers: .agentAlone) { $0.sessions == .atHand }
}

/// One job of the program, as a command reaches it.
protocol Job: Sendable {
    /// Carries out the job's verbs.
    associatedtype Host: Sendable

    static func carrier(_ agent: RunningAgent) -> Carrier<Host>
    /// Runs `body` with a vault that this command has opened. `proof`: the PIN that opened it; nil for a new PIN.
    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<Host>) async throws -> R
    ) async throws -> R
}

/// What programs ask of an agent, which no vault has.
enum ProgramJob: Job {
    static func carrier(_ agent: RunningAgent) -> Carrier<any AgentHost> { agent.own }

    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<any AgentHost>) async throws -> R
    ) async throws -> R { throw Failure.noProgramAsks }
}

extension Failure {
    static let noProgramAsks = Failure(
        .locked, "no agent runs, so no program can ask", hint: "countersign agent --daemonize")
}

extension Context {
    /// Runs `body` with the carrier that `reach` chooses: the agent, unlocked if needed, or a vault that the PIN opens for this
    /// command.
    ///
    /// - Parameters:
    ///   - mayChoosePIN: if no PIN is set, choose one first.
    ///   - fingerprint: the only content that the command may approve, which a PIN file that opens the vault thereby approves.
    func with<J, R>(
        _ reach: Reach<J>, mayChoosePIN: Bool = false, fingerprint: String? = nil,
        _ body: (Carrier<J.Host>) async throws -> R
    ) async throws -> R {
        if mayChoosePIN, prompts.canAsk, try !gate.status().isSet {
            return try await J.with(try setPIN(), openedBy: nil, self, body)
        }
        guard let agent = try agent(for: reach) else {
            let opened = try await open(approving: fingerprint)
            return try await J.with(opened.vault, openedBy: opened.proof, self, body)
        }
        if !reach.isReady(agent.handshake), !reach.unlocksForPersonOnly || (hasTerminal && !options.noInput) {
            try await unlock(agent, for: .agent)
        }
        return try await body(J.carrier(agent))
    }

    /// The agent that is to carry the verbs out; nil for a vault.
    func agent<J>(for reach: Reach<J>) throws -> RunningAgent? {
        switch reach.carriers {
        case .vaultAlone: return nil
        case .agentAlone:
            guard let agent = try agent() else { throw Failure.noProgramAsks }
            return agent
        case .agentOrVault(let takesOpenAgent):
            let isFromFile = options.effectivePINFile != nil
            guard takesOpenAgent || !isFromFile, let agent = try agent() else { return nil }
            return isFromFile && !reach.isReady(agent.handshake) ? nil : agent
        }
    }
}
