import Basics
import FoundationEssentials
import Keys
import LocalSocket
import SessionModel
import Sessions

/// Handing out tokens: gathers the inputs of `HandOutRules.decision`, and carries out the steps of `HandOut`.
extension SessionWing {
    struct Permitted {
        var sessions: LocalSessions
        var choice: TokenChoice
        /// Nil for the person.
        var grant: ProgramGrant?
    }

    typealias Find = @Sendable (LocalSessions, [SignIn]) throws -> TokenChoice

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

    /// The sessions and how far they can be reached. Throws a failure of kind `locked` while shut.
    private func reached() throws -> (LocalSessions, HandOutRules.Readiness) {
        core.tick()
        if let sessions = held.atHand { return (sessions, .atHand) }
        if let sessions = held.asleep { return (sessions, .asleep) }
        throw SessionError.notAtHand
    }

    /// Throws a failure of kind `locked` while shut. A person's request counts as use.
    nonisolated func decisionInputs(for caller: CallerContext) async throws -> DecisionInputs {
        let asker = TokenAsker(
            caller.program, isPerson: caller.isPersonOnTerminal, needsGrant: dependencies.terminalNeedsGrant)
        let (reached, readiness) = try await reached()
        if asker == .person { await used(by: caller) }
        return try DecisionInputs(of: asker, in: reached.asked(by: caller.requester), readiness, at: clock.now())
    }

    /// Finds the token that the caller wants and may have. Throws a failure of kind `locked` if it may not have it now; before
    /// that, the person has the time in `terms` to allow it.
    nonisolated func permitted(
        _ caller: CallerContext, _ terms: TokenTerms, by handOut: inout HandOut, _ find: Find
    ) async throws -> Permitted {
        let begun = clock.moment()
        while true {
            let inputs = try await decisionInputs(for: caller)
            switch try handOut.next(after: try inputs.decision(find)) {
            case .give(let choice, let grant):
                if let grant { try Self.noteFirstUse(of: grant, in: inputs.sessions) }
                return Permitted(sessions: inputs.sessions, choice: choice, grant: grant)
            case .askForPIN(let choice, let grant):
                if try await !isProved(grant, choice, caller) { handOut.closed() }
            case .askForGrant(let choices): try await ask(for: choices, inputs.asker, caller, terms)
            case .refuse(let error): throw error
            case .refuseLate:
                _ = await isAllowed(nil, terms.wait - (clock.moment() - begun).components.seconds, caller)
                throw SessionError.notGranted
            case .signedOut(let session, let error):
                await couldNotServe(session, error)
                throw error
            }
        }
    }

    /// A failure to note the use does not keep the token back, unless the grant is gone.
    private nonisolated static func noteFirstUse(of grant: ProgramGrant, in sessions: LocalSessions) throws {
        do { try sessions.noteFirstUse(of: grant) } catch StoreError.notFound {
            throw SessionError.notGranted
        } catch {}
    }

    /// Hands out a token. If that fails, the session may have ended.
    nonisolated func serving<Answer>(
        _ found: Permitted, _ serve: () async throws -> Answer
    ) async throws -> Answer {
        // A token is being handed out, for which it may have to be renewed first.
        servings.begin()
        let begun = clock.moment()
        let answer: Result<Answer, any Error>
        do { answer = .success(try await serve()) } catch { answer = .failure(error) }
        servings.end()
        do {
            // A renewal takes a while, in which the person may have locked, or taken the grant back.
            if clock.moment() > begun + .milliseconds(100) { try await demandStill(found) }
            let answer = try answer.get()
            if let grant = found.grant { uses.used(grant, in: found.sessions) }
            return answer
        } catch {
            await couldNotServe(found.choice.session, error)
            throw error
        }
    }

    /// Throws unless the token that was allowed before is still allowed.
    private func demandStill(_ found: Permitted) throws {
        let (_, readiness) = try reached()
        let asker = found.grant.map { TokenAsker.program($0.program) } ?? .person
        let present = try found.grant.map { grant in try found.sessions.store.grants().filter { $0.id == grant.id } }
        let rules = HandOutRules(present ?? [], readiness, at: clock.now())
        let decision = try rules.decision(on: asker, among: [], find: { _ in found.choice })
        if let loss = HandOut.loss(decision) { throw loss }
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
