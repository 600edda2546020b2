public import Basics
import Display
internal import LocalSocket
public import Sessions

/// Tokens, and who may have them.
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
        let found = try await permitted(caller, request.terms.wait) { try $0.choice(for: request, among: $1) }
        return try await serving(found) {
            try await found.sessions.token(by: found.choice, request.terms, within: found.grant)
        }
    }

    /// A session may have ended where it cannot be served.
    private nonisolated func serving<Answer>(
        _ found: Permitted, _ serve: () async throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await serve()
            if let grant = found.grant { await used(grant, in: found.sessions) }
            return answer
        } catch {
            await couldNotServe(found.choice.session, error)
            throw error
        }
    }

    public nonisolated func headers(
        _ request: HeadersRequest, for caller: CallerContext
    ) async throws -> HeadersPayload {
        var found = try await permitted(caller, request.terms.wait) { try $0.choice(for: request, among: $1) }
        found.choice = try await found.sessions.completed(found.choice, for: request)
        // What the challenge adds must be within the grant, too.
        if let grant = found.grant {
            if let aim = grant.covering(found.choice.aim, of: found.choice.session) {
                found.choice.aim = aim
            } else {
                let wider = found.choice
                found = try await permitted(caller, request.terms.wait) { _, _ in wider }
            }
        }
        return try await serving(found) { [found] in
            try await found.sessions.headers(by: found.choice, request.terms, within: found.grant)
        }
    }

    private struct Permitted {
        var sessions: LocalSessions
        var choice: TokenChoice
        /// Nil for the person.
        var grant: ProgramGrant?
    }

    private typealias Find = @Sendable (LocalSessions, [SignIn]) throws -> TokenChoice

    /// What the caller may have of what it wants. Throws a failure of kind `locked` for what it may not have now; `wait` seconds are
    /// left to the person to allow it.
    private nonisolated func permitted(
        _ caller: CallerContext, _ wait: Int64, _ find: Find
    ) async throws -> Permitted {
        let asker = TokenAsker(caller.program, isPerson: caller.isPersonOnTerminal)
        var hasAsked = false
        var proved: String?
        while true {
            let (reached, readiness) = try await reached()
            let sessions = reached.asked(by: caller.requester)
            if asker == .person { await used(by: caller) }
            let grants = asker == .person ? [] : try sessions.store.grants()
            let found = try Self.search(try sessions.store.sessions(), grants, for: asker) { try find(sessions, $0) }
            guard var choice = found else {
                // A program hears the same in the same time whether there is such a session or not.
                guard readiness == .atHand else { throw SessionError.notAtHand }
                if !hasAsked { _ = await answer(to: nil, wait, caller) }
                throw SessionError.notGranted
            }
            let verdict = HandOut(grants, readiness, at: clock.now())
                .verdict(on: asker, wanting: choice.aim, choice.kind, of: choice.session)
            switch verdict {
            case .yes(let aim, let grant):
                if let grant { try? sessions.noteFirstUse(of: grant) }
                choice.aim = aim
                return Permitted(sessions: sessions, choice: choice, grant: grant)
            case .afterPIN(let aim, let grant):
                if proved == grant.id {
                    try? sessions.noteFirstUse(of: grant)
                    choice.aim = aim
                    return Permitted(sessions: sessions, choice: choice, grant: grant)
                }
                guard wait > 0 else { throw SessionError.needsWait }
                try await askForPIN(grant, choice.kind, choice.session, caller)
                // All is judged anew: a lock may have come, or the grant may have gone.
                proved = grant.id
            case .locked: throw SessionError.notAtHand
            case .suspended: throw SessionError.suspended
            case .needsGrant:
                guard !hasAsked else { throw SessionError.notGranted }
                guard case .program(let program?) = asker else {
                    _ = await answer(to: nil, wait, caller)
                    throw SessionError.notGranted
                }
                try choice.session.demand(choice.aim)
                try await request(program, choice, caller, wait)
                hasAsked = true
            }
        }
    }

    /// A program learns nothing of sessions that it has no grant for: those of its grants come first, and nil says that nothing else can
    /// be had, for whatever reason.
    private nonisolated static func search(
        _ all: [SignIn], _ grants: [ProgramGrant], for asker: TokenAsker, _ find: ([SignIn]) throws -> TokenChoice
    ) throws -> TokenChoice? {
        guard case .program(let program) = asker else { return try find(all) }
        let own = Set(grants.filter { $0.program == program }.map(\.session))
        let mine = all.filter { own.contains($0.id) }
        do {
            if !mine.isEmpty { return try find(mine) }
        } catch SessionError.ambiguous(let wanted, let candidates) {
            throw SessionError.ambiguous(wanted: wanted, candidates: candidates)
        } catch is SessionError {}
        do {
            let found = try find(all)
            try found.session.demand(found.aim)
            return found
        } catch is SessionError {
            return nil
        }
    }

    private func used(by caller: CallerContext) { if caller.isPerson { used() } }

    // MARK: Asking the person

    /// Notes what a program asks for, and waits for the person's answer. Throws unless it was allowed.
    private func request(
        _ program: Program, _ wanted: TokenChoice, _ caller: CallerContext, _ wait: Int64
    ) async throws {
        let moment = clock.moment()
        let (session, aim) = (wanted.session, wanted.aim)
        guard !requests.isRefused(program, session.id, at: moment) else { throw SessionError.refusedByPerson }
        let id: String
        if let same = requests.same(program, session.id, aim, wanted.kind) {
            id = same.id
        } else {
            let request = ProgramRequest(
                id: try parts.makeID(), program: program, isChangeable: caller.program?.isChangeable ?? false,
                requester: caller.requester, session: session, aim: aim, kind: wanted.kind, at: clock.now(),
                end: moment + ProgramRequests.life)
            guard let former = requests.add(request) else { throw SessionError.notGranted }
            passed(former)
            core.tell(.request(id: request.id))
            // Once a minute, so that a program that asks for one thing after the other cannot fill the screen.
            lastAnnounced = lastAnnounced.filter { $0.value + .seconds(60) > moment }
            if lastAnnounced[program] == nil, !unanswered.isQuiet(program) {
                lastAnnounced[program] = moment
                unanswered.told(of: request)
                parts.announce(request)
            }
            id = request.id
        }
        switch await answer(to: id, wait, caller) {
        case true: return
        case false: throw SessionError.refusedByPerson
        case nil: throw SessionError.notGranted
        }
    }

    /// Waits for the person's answer to a request, for at most so many seconds and not after the caller left. Nil when there was none, and
    /// always where there is no request.
    private func answer(to id: String?, _ wait: Int64, _ caller: CallerContext) async -> Bool? {
        guard wait > 0, caller.mayAsk else { return nil }
        let number = requests.nextNumber()
        let timer = Task { [clock] in
            try await clock.sleep(for: .seconds(wait))
            self.requests.stopWaiting(number)
        }
        let departure = caller.presence.onDeparture { Task { await self.stopWaiting(number) } }
        defer {
            timer.cancel()
            caller.presence.forget(departure)
        }
        return await withCheckedContinuation { requests.await(id, number, $0) }
    }

    private func stopWaiting(_ number: Int) { requests.stopWaiting(number) }

    public func programRequests(for caller: CallerContext) throws -> RequestsPayload {
        _ = try demandAtHand(for: caller)
        return RequestsPayload(requests.all.map { RequestPayload($0) })
    }

    public func allow(
        _ id: String, _ options: AllowOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> AnsweredRequestPayload {
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        return try allow(request, options, in: try await proved(pin, source, caller))
    }

    func allow(
        _ request: ProgramRequest, _ options: AllowOptions, in sessions: LocalSessions
    ) throws -> AnsweredRequestPayload {
        // It may have ended while the PIN was typed.
        _ = try requests.request(request.id)
        let grant = try sessions.grant(
            request.program, request.aim, [request.kind], of: request.session, options
        ).grant
        requests.allowed(request)
        unanswered.answered(request)
        retract(request.id)
        used()
        return AnsweredRequestPayload(request.id, allowed: grant)
    }

    public func refuse(_ id: String, for caller: CallerContext) throws -> AnsweredRequestPayload {
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        refuse(request)
        return AnsweredRequestPayload(request.id, allowed: nil)
    }

    func refuse(_ request: ProgramRequest) {
        requests.refused(request, at: clock.moment())
        unanswered.answered(request)
        // What cannot be noted is refused all the same.
        if case .atHand(let sessions, _) = held {
            try? sessions.asked(by: request.requester).noteRefusal(
                request.program, request.aim, request.session)
        }
        retract(request.id)
    }

    public func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        try await proved(pin, source, caller).allow(options)
    }

    public func resumeGrant(
        _ id: String, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        try await proved(pin, source, caller).resume(id)
    }

    public func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload {
        defer { tellChanges() }
        guard let pin else {
            return try await demandAtHand(for: caller).setSignOut(of: name, options, mayProlong: false)
        }
        return try await proved(pin, source, caller).setSignOut(of: name, options, mayProlong: true)
    }

    /// The sessions, if they are at hand and still are when the PIN has proved right.
    func proved(
        _ pin: any Secret, _ source: PINSource, _ caller: CallerContext
    ) async throws -> LocalSessions {
        _ = try demandAtHand(for: caller)
        try await core.prove(pin, from: source)
        unanswered.entered()
        return try demandAtHand(for: caller)
    }
}

extension TokenAsker {
    /// What runs in a sandbox is its package, whoever it says it is.
    fileprivate init(_ peer: PeerProgram?, isPerson: Bool) {
        let isSandboxed = peer?.kind == .flatpak || peer?.kind == .snap
        self = isPerson && !isSandboxed ? .person : .program(peer.flatMap(Program.init))
    }
}

extension Program {
    /// Nil for a name that no grant could keep.
    init?(_ peer: PeerProgram) { self.init("\(peer.kind.rawValue):\(peer.name)") }
}
