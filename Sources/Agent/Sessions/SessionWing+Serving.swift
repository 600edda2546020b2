public import Basics
import Display
internal import LocalSocket
public import Sessions

/// Tokens, and the right to get them.
extension SessionWing: SessionServing {
    public func sessions(for caller: CallerContext) throws -> any SessionOperations {
        let sessions = try demandAtHand(for: caller)
        writeUses(in: sessions)
        return sessions
    }

    public nonisolated func history(
        _ request: SessionHistoryRequest, for caller: CallerContext
    ) async throws -> SessionHistoryPayload { try await demandAtHand(for: caller).history(request) }

    public nonisolated func token(_ request: TokenRequest, for caller: CallerContext) async throws -> TokenPayload {
        let found = try await permitted(caller, request.terms) { try $0.choice(for: request, among: $1) }
        return try await serving(found) {
            try await found.sessions.token(by: found.choice, request.terms, within: found.grant)
        }
    }

    /// Hands out a token. If that fails, the session may have ended.
    private nonisolated func serving<Answer>(
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
            if let grant = found.grant { used(grant, in: found.sessions) }
            return answer
        } catch {
            await couldNotServe(found.choice.session, error)
            throw error
        }
    }

    /// Throws unless the token that was allowed before is still allowed.
    private func demandStill(_ found: Permitted) throws {
        let (_, readiness) = try reached()
        guard let grant = found.grant else {
            guard readiness == .atHand else { throw SessionError.notAtHand }
            return
        }
        let present = try found.sessions.store.grants().filter { $0.id == grant.id }
        let (choice, handOut) = (found.choice, HandOutRules(present, readiness, at: clock.now()))
        switch try handOut.verdict(on: .program(grant.program), wanting: choice.aim, choice.kind, of: choice.session) {
        case .yes, .afterPIN: return
        case .locked: throw SessionError.notAtHand
        case .signedOut, .needsGrant: throw SessionError.notGranted
        }
    }

    public nonisolated func headers(
        _ request: HeadersRequest, for caller: CallerContext
    ) async throws -> HeadersPayload {
        var found = try await permitted(caller, request.terms, toKnown: .noResource(request.url.text)) {
            try $0.choice(for: request, among: $1)
        }
        found.choice = try await found.sessions.completed(found.choice, for: request)
        // The additions of the challenge must be within the grant, too.
        if let grant = found.grant {
            if let aim = grant.covering(found.choice.aim, of: found.choice.session) {
                found.choice.aim = aim
            } else {
                let wider = found.choice
                found = try await permitted(caller, request.terms) { _, _ in wider }
            }
        }
        return try await serving(found) { [found] in
            try await found.sessions.headers(by: found.choice, request.terms, within: found.grant)
        }
    }

    struct Permitted {
        var sessions: LocalSessions
        var choice: TokenChoice
        /// Nil for the person.
        var grant: ProgramGrant?
    }

    private nonisolated func isKnown(_ asker: TokenAsker, by grants: [ProgramGrant]) -> Bool {
        guard case .program(let program) = asker else { return false }
        return grants.contains { $0.program == program && !$0.isOver(at: clock.now()) }
    }

    typealias Find = @Sendable (LocalSessions, [SignIn]) throws -> TokenChoice

    /// Finds the token that the caller wants and may have. Throws a failure of kind `locked` if it may not have it now; before
    /// that, the person has the time in `terms` to allow it. `toKnown`: thrown at once, where nothing fits, for a program that has a
    /// grant; others hear in the same time as ever that they may not.
    private nonisolated func permitted(
        _ caller: CallerContext, _ terms: TokenTerms, toKnown: SessionError? = nil, _ find: Find
    ) async throws -> Permitted {
        let asker = asker(of: caller)
        var hasAsked = false
        var proved: String?
        while true {
            let (reached, readiness) = try await reached()
            let sessions = reached.asked(by: caller.requester)
            if asker == .person { await used(by: caller) }
            let grants = asker == .person ? [] : try sessions.store.grants()
            let search = TokenSearch(try sessions.store.sessions(), grants)
            var choice: TokenChoice
            switch try search.found(for: asker, { try find(sessions, $0) }) {
            case .one(let found): choice = found
            case .several(let fitting):
                guard readiness == .atHand else { throw SessionError.notAtHand }
                guard !hasAsked else { throw SessionError.notGranted }
                try await ask(for: fitting, asker, caller, terms)
                hasAsked = true
                continue
            case .nothing:
                // A program without a grant gets the same answer in the same time whether the session exists or not.
                guard readiness == .atHand else { throw SessionError.notAtHand }
                if let toKnown, isKnown(asker, by: grants) { throw toKnown }
                if !hasAsked { _ = await isAllowed(nil, terms.wait, caller) }
                throw SessionError.notGranted
            }
            var ended: SessionError?
            let verdict = try HandOutRules(grants, readiness, at: clock.now())
                .verdict(on: asker, wanting: choice.aim, choice.kind, of: choice.session) {
                    ended = try sessions.whyEnded(choice.session, choice.kind)
                    return ended != nil
                }
            switch verdict {
            case .yes(let aim, let grant):
                if let grant { try Self.noteFirstUse(of: grant, in: sessions) }
                choice.aim = aim
                return Permitted(sessions: sessions, choice: choice, grant: grant)
            case .afterPIN(let aim, let grant):
                if proved == grant.id {
                    try Self.noteFirstUse(of: grant, in: sessions)
                    choice.aim = aim
                    return Permitted(sessions: sessions, choice: choice, grant: grant)
                }
                guard terms.wait > 0 else { throw SessionError.needsWait }
                try await askForPIN(grant, choice.kind, choice.session, terms.wait, caller)
                // All is judged anew: a lock may have come, or the grant may have gone.
                proved = grant.id
            case .locked: throw SessionError.notAtHand
            case .signedOut:
                let error = ended ?? .notGranted
                await couldNotServe(choice.session, error)
                throw error
            case .needsGrant:
                guard !hasAsked else { throw SessionError.notGranted }
                try choice.session.demand(choice.aim)
                try await ask(for: [choice], asker, caller, terms)
                hasAsked = true
            }
        }
    }

    /// A failure to note the use does not keep the token back, unless the grant is gone.
    private nonisolated static func noteFirstUse(of grant: ProgramGrant, in sessions: LocalSessions) throws {
        do { try sessions.noteFirstUse(of: grant) } catch let error as StoreError where error.code == .notFound {
            throw SessionError.notGranted
        } catch {}
    }

    nonisolated func asker(of caller: CallerContext) -> TokenAsker {
        TokenAsker(caller.program, isPerson: caller.isPersonOnTerminal, needsGrant: dependencies.terminalNeedsGrant)
    }

    func used(by caller: CallerContext) { if caller.isPerson { used() } }

    public func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        let (sessions, proof) = try await proved(pin, source, caller)
        return try sessions.allow(options, by: proof)
    }

    public func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload {
        defer { tellChanges() }
        guard let pin else {
            return try await demandAtHand(for: caller).setSignOut(of: name, options, by: nil)
        }
        let (sessions, proof) = try await proved(pin, source, caller)
        return try await sessions.setSignOut(of: name, options, by: proof)
    }

    /// The sessions, if they are at hand and still are after the PIN proved right.
    func proved(
        _ pin: any Secret, _ source: PINSource, _ caller: CallerContext
    ) async throws -> (LocalSessions, ProvedPIN) {
        _ = try demandAtHand(for: caller)
        let proof = try await core.prove(pin, from: source)
        unanswered.entered()
        return (try demandAtHand(for: caller), proof)
    }
}

extension TokenAsker {
    /// A sandboxed program counts as its package, or as nobody, even on the person's terminal. `needsGrant`: whether
    /// the person on a terminal needs a grant, too: that of the program that runs our command there or, if that program
    /// is unknown, that of the terminal.
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
