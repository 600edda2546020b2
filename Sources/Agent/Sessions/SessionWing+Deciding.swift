import FoundationEssentials
import LocalSocket
import Sessions

/// The inputs of the decision about a caller's token (`HandOutRules.decision`).
extension SessionWing {
    /// The caller, and the sessions and grants of this moment.
    struct DecisionInputs {
        let asker: TokenAsker
        let sessions: LocalSessions
        private let all: [SignIn]
        private let rules: HandOutRules

        fileprivate init(
            of asker: TokenAsker, in sessions: LocalSessions, _ readiness: HandOutRules.Readiness, at now: Date
        ) throws {
            self.asker = asker
            self.sessions = sessions
            all = try sessions.store.sessions()
            rules = HandOutRules(asker == .person ? [] : try sessions.store.grants(), readiness, at: now)
        }

        func decision(_ find: Find) throws -> TokenDecision {
            try rules.decision(
                on: asker, among: all, whyEnded: { try sessions.whyEnded($0.session, $0.kind) },
                find: { try find(sessions, $0) })
        }
    }

    /// Throws a failure of kind `locked` while shut. A person's request counts as use.
    nonisolated func decisionInputs(for caller: CallerContext) async throws -> DecisionInputs {
        let asker = TokenAsker(
            caller.program, isPerson: caller.isPersonOnTerminal, needsGrant: dependencies.terminalNeedsGrant)
        let (reached, readiness) = try await reached()
        if asker == .person { await used(by: caller) }
        return try DecisionInputs(of: asker, in: reached.asked(by: caller.requester), readiness, at: clock.now())
    }
}

extension TokenAsker {
    /// A sandboxed program counts as its package, or as nobody, even on the person's terminal. `needsGrant`: whether the person on a terminal
    /// needs a grant, too: that of the program that runs our command there or, if that is unknown, that of the terminal.
    fileprivate init(_ peer: PeerProgram?, isPerson: Bool, needsGrant: Bool) {
        let program = peer.flatMap(Program.init)
        let isSandboxed = peer?.kind == .sandbox || peer?.kind == .snap
        guard isPerson, !isSandboxed else {
            self = .program(program)
            return
        }
        self = needsGrant ? .program(program ?? .terminal) : .person
    }
}

extension Program {
    /// Nil for a sandbox without a name, and for a name that no grant could keep.
    init?(_ peer: PeerProgram) { self.init("\(peer.kind.rawValue):\(peer.name)") }
}
