import AgentWire
import Approvals
import Basics
import Client
import Keys

/// A job whose verbs a command can carry out by itself.
protocol VaultJob: Job {
    /// Runs `body` with a vault that this command has opened. `proof`: the PIN that opened it; nil for a new PIN.
    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<Host>) async throws -> R
    ) async throws -> R
}

extension ProgramJob: VaultJob {
    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<any AgentHost>) async throws -> R
    ) async throws -> R { throw Failure.noProgramAsks }
}

extension Context {
    /// Runs `body` with the carrier that `reach` chooses: the agent, unlocked if needed, or a vault that the PIN opens for this
    /// command.
    ///
    /// - Parameters:
    ///   - mayChoosePIN: if no PIN is set, choose one first.
    ///   - fingerprint: the only content that the command may approve, which a PIN file that opens the vault thereby approves.
    func with<J: VaultJob, R>(
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
        return try await body(agent.carrier(of: J.self))
    }

    /// The agent that is to carry the verbs out; nil for a vault.
    func agent<J>(for reach: Reach<J>) throws -> RunningAgent? {
        try reach.choice(isFromFile: options.effectivePINFile != nil, of: agent)
    }
}
