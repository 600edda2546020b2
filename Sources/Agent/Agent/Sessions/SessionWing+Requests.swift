import Basics
import Keys
import LocalSocket
import SessionModel
import Sessions

/// The requests of programs for tokens that no grant allows yet, and the person's answers.
extension SessionWing {
    /// Asks the person to allow one of these choices. Throws unless one was allowed. A refused program waits in vain,
    /// and so does a program that cannot be identified: both get the answer for an unknown session, after the usual
    /// delay.
    func ask(
        for wanted: [TokenChoice], _ asker: TokenAsker, _ caller: CallerContext, _ terms: TokenTerms
    ) async throws {
        var id: String?
        let moment = clock.moment()
        if case .program(let program?) = asker,
            !wanted.allSatisfy({ requests.isRefused(program, $0.session.id, at: moment) })
        {
            id = try requests.same(program, wanted)?.id ?? note(program, wanted, caller, terms.name)
        }
        guard await isAllowed(id, terms.wait, caller) else { throw SessionError.notGranted }
    }

    /// Records a program's request and announces it. Returns the request's id; nil if too many requests wait.
    private func note(
        _ program: Program, _ wanted: [TokenChoice], _ caller: CallerContext, _ claim: ClaimedName?
    ) throws -> String? {
        let moment = clock.moment()
        let request = ProgramRequest(
            id: try dependencies.makeID(), program: program, isChangeable: caller.program?.isChangeable ?? false,
            claim: claim, requester: caller.requester,
            choices: wanted.map { .init(session: $0.session, aim: $0.aim) }, kind: wanted.first?.kind ?? .access,
            at: clock.now(), end: moment + ProgramRequests.life)
        guard let changes = requests.add(request, at: moment) else { return nil }
        apply(changes)
        return request.id
    }

    /// Waits until the person allows a request, for at most `wait` seconds and not after the caller left. `id`: nil if there is no
    /// request; then it waits all the same.
    func isAllowed(_ id: String?, _ wait: Int64, _ caller: CallerContext) async -> Bool {
        guard wait > 0, caller.mayAsk else { return false }
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

    func programRequests(for caller: CallerContext) throws -> RequestsPayload {
        _ = try demandAtHand(for: caller)
        return RequestsPayload(requests.all.map { RequestPayload($0) })
    }

    /// Grants the request of a program. Throws `SessionError` `noRequest`, and `PINError`.
    func allow(
        _ id: String, _ options: AllowOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> AnsweredRequestPayload {
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        _ = try request.choice(of: options.session)
        let (sessions, proof) = try await proved((pin, source), caller) { ($0, $1) }
        guard let proof else { throw Failure.needsUnlock }
        return try allow(request, options, in: sessions, by: proof)
    }

    func allow(
        _ request: ProgramRequest, _ options: AllowOptions, in sessions: LocalSessions, by proof: ProvedPIN
    ) throws -> AnsweredRequestPayload {
        // The request may have ended while the PIN was typed.
        _ = try requests.request(request.id)
        let choice = try request.choice(of: options.session)
        let grant = try sessions.grant(
            request.program, choice.aim, [request.kind], of: choice.session, options, by: proof
        ).grant
        apply(requests.allowed(request))
        used()
        return AnsweredRequestPayload(request.id, allowed: grant)
    }

    func refuse(_ id: String, for caller: CallerContext) throws -> AnsweredRequestPayload {
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        refuse(request)
        return AnsweredRequestPayload(request.id, allowed: nil)
    }

    func refuse(_ request: ProgramRequest) {
        let changes = requests.refused(request, at: clock.moment())
        // Refuse even if that cannot be noted.
        if let sessions = held.atHand?.asked(by: request.requester) {
            for choice in request.choices { try? sessions.noteRefusal(request.program, choice.aim, choice.session) }
        }
        apply(changes)
    }
}
