public import Basics
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
        let rules = HandOutRules(present, readiness, at: clock.now())
        switch try rules.decision(on: .program(grant.program), among: [], find: { _ in found.choice }) {
        case .yes, .afterPIN: return
        case .locked: throw SessionError.notAtHand
        case .needsGrant, .nothing, .signedOut: throw SessionError.notGranted
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

    typealias Find = @Sendable (LocalSessions, [SignIn]) throws -> TokenChoice

    /// Finds the token that the caller wants and may have. Throws a failure of kind `locked` if it may not have it now; before
    /// that, the person has the time in `terms` to allow it. `toKnown`: thrown at once, where nothing fits, for a program that has a
    /// grant; others hear in the same time as ever that they may not.
    private nonisolated func permitted(
        _ caller: CallerContext, _ terms: TokenTerms, toKnown: SessionError? = nil, _ find: Find
    ) async throws -> Permitted {
        var hasAsked = false
        var proved: String?
        while true {
            let inputs = try await decisionInputs(for: caller)
            switch try inputs.decision(find) {
            case .yes(let choice, let grant):
                if let grant { try Self.noteFirstUse(of: grant, in: inputs.sessions) }
                return Permitted(sessions: inputs.sessions, choice: choice, grant: grant)
            case .afterPIN(let choice, let grant) where proved == grant.id:
                try Self.noteFirstUse(of: grant, in: inputs.sessions)
                return Permitted(sessions: inputs.sessions, choice: choice, grant: grant)
            case .afterPIN(let choice, let grant):
                guard terms.wait > 0 else { throw SessionError.needsWait }
                try await askForPIN(grant, choice.kind, choice.session, terms.wait, caller)
                // All is judged anew: a lock may have come, or the grant may have gone.
                proved = grant.id
            case .needsGrant(let choices):
                guard !hasAsked else { throw SessionError.notGranted }
                for choice in choices { try choice.session.demand(choice.aim) }
                try await ask(for: choices, inputs.asker, caller, terms)
                hasAsked = true
            case .nothing(let isKnown):
                // A program without a grant hears the same in the same time whether there is such a session or not.
                if let toKnown, isKnown { throw toKnown }
                if !hasAsked { _ = await isAllowed(nil, terms.wait, caller) }
                throw SessionError.notGranted
            case .locked: throw SessionError.notAtHand
            case .signedOut(let choice, let error):
                await couldNotServe(choice.session, error)
                throw error
            }
        }
    }

    /// A failure to note the use does not keep the token back, unless the grant is gone.
    private nonisolated static func noteFirstUse(of grant: ProgramGrant, in sessions: LocalSessions) throws {
        do { try sessions.noteFirstUse(of: grant) } catch let error as StoreError where error.code == .notFound {
            throw SessionError.notGranted
        } catch {}
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
