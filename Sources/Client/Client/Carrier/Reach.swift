package import AgentWire
package import Approvals
package import Basics
package import Sessions

/// One job of the program, as a front end reaches it.
package protocol Job: Sendable {
    /// Carries out the job's verbs.
    associatedtype Host: Sendable
}

/// Approvals: connections to banks, and their requests.
package enum ApprovalJob: Job { package typealias Host = any ApprovalHost }
/// Sessions: sign-ins at issuers, and the programs that get their tokens.
package enum SessionJob: Job { package typealias Host = any SessionHost }
/// The requests of programs to an agent, which no vault has.
package enum ProgramJob: Job { package typealias Host = any AgentHost }

/// By whom a front end's verbs are carried out, and the state that an agent must be in for them.
package struct Reach<J: Job>: Sendable {
    package enum Carriers: Sendable {
        case agentAlone
        /// The agent if one runs. A PIN file opens a vault for this command alone, unless `takesOpenAgent` and the agent is ready: a person may
        /// have locked it.
        case agentOrVault(takesOpenAgent: Bool)
        case vaultAlone
    }

    let carriers: Carriers
    /// Whether the agent must be unlocked only where a person is: a program without a terminal gets only tokens that the agent allows it.
    package var unlocksForPersonOnly = false
    /// Whether an agent that describes itself so can carry the verbs out. Else it is unlocked first.
    package let isReady: @Sendable (Handshake) -> Bool

    /// The agent that is to carry the verbs out; nil for a vault. `isFromFile`: whether a file gives the PIN.
    package func choice(isFromFile: Bool, of agent: () throws -> RunningAgent?) throws -> RunningAgent? {
        switch carriers {
        case .vaultAlone: return nil
        case .agentAlone:
            guard let agent = try agent() else { throw Failure.noProgramAsks }
            return agent
        case .agentOrVault(let takesOpenAgent):
            guard takesOpenAgent || !isFromFile, let agent = try agent() else { return nil }
            return isFromFile && !isReady(agent.handshake) ? nil : agent
        }
    }
}

extension Reach where J == ApprovalJob {
    package static let approvals = Reach(carriers: .agentOrVault(takesOpenAgent: true)) { $0.state == .open }
}

extension Reach where J == SessionJob {
    /// For the verbs that other programs have, too.
    package static let sessions = Reach(carriers: .agentOrVault(takesOpenAgent: false), unlocksForPersonOnly: true) {
        $0.sessions == .atHand
    }
    package static let sessionsAtHand = Reach(carriers: .agentOrVault(takesOpenAgent: false)) {
        $0.sessions == .atHand
    }
    /// Only an open agent has the log's key.
    package static let sessionsAndLog = Reach(carriers: .agentOrVault(takesOpenAgent: false)) {
        $0.state == .open && $0.sessions == .atHand
    }
    package static let ownSessions = Reach(carriers: .vaultAlone) { _ in false }
}

extension Reach where J == ProgramJob {
    package static let programs = Reach(carriers: .agentAlone) { $0.sessions == .atHand }
}

extension RunningAgent {
    /// Carries out the verbs of this job.
    package func carrier<J: Job>(of job: J.Type) -> Carrier<J.Host> { Carrier(agent: client) }
}

extension Failure {
    package static let noProgramAsks = Failure(
        .locked, "no agent runs, so no program can ask", hint: startAgent)
}
