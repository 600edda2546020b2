import Basics
import Dialogue
import Keys
import Pinentry
import SessionModel
import Sessions

/// The windows in which the person answers requests of programs. They stand where the person is, not where a program says.
extension SessionWing {
    /// Asks for the PIN for one use of a grant. The question ends with its caller. Returns false if the person closed it; then no program
    /// asks again for a while.
    func isProved(_ grant: ProgramGrant, _ choice: TokenChoice, _ caller: CallerContext) async throws -> Bool {
        guard !requests.isRefused(grant.program, choice.session.id, at: clock.moment()) else { return false }
        guard caller.mayAsk else { throw SessionError.notGranted }
        guard let asker = await core.dependencies.asker([:], nil) else { throw SessionError.noWindow }
        let generation = core.generation
        let departure = caller.presence.onDeparture { Task { await self.takeBack() } }
        defer { caller.presence.forget(departure) }
        let aim = TokenAim(scopes: grant.scopes, resources: grant.resources)
        let card = GrantCard(
            grant.program, RequestPayload.Choice(choice.session, aim), choice.kind, requester: caller.requester.commands
        )
        do {
            guard try await isProved(GrantDialogue(.use(card)), asker, caller, { _, _ in }) else {
                throw Failure.cancelled
            }
        } catch let failure as Failure
            where failure.kind == .cancelled && !caller.hasLeft && core.generation == generation && isAtHand
        {
            // The person closed it: neither the caller nor a lock took it off the screen.
            requests.refuse(grant.program, choice.session.id, at: clock.moment())
            return false
        }
        used()
        return true
    }

    private func takeBack() { if isAsking { core.takeBack?() } }

    /// Asks one question of this wing, which leaves the screen when sessions are no longer at hand.
    func asking<Answer: Sendable>(
        _ caller: CallerContext, _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try core.demandNoQuestion(for: caller)
        isAsking = true
        defer { isAsking = false }
        return try await core.asking(caller, ask)
    }

    /// Shows the request of a program, and grants it with the PIN. Returns false for a no.
    package func review(_ id: String) async throws -> Bool {
        let caller = CallerContext.notification
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        let dialogue = GrantDialogue(RequestPayload(request), before: .person(typesWords: false))
        let isAllowed = try await isProved(dialogue, try await asker(caller), caller) { granted, proof in
            _ = try self.allow(request, try granted.terms(), in: try self.demandAtHand(for: caller), by: proof)
        }
        if !isAllowed { refuse(request) }
        return isAllowed
    }

    /// Asks the questions of this dialogue, and for the PIN at last, whose proof `use` gets. Returns false for a no.
    private func isProved(
        _ dialogue: GrantDialogue, _ asker: any Asking, _ caller: CallerContext,
        _ use: @AgentActor (GrantDialogue.Granted, ProvedPIN) throws -> Void
    ) async throws -> Bool {
        var dialogue = dialogue
        var next = dialogue.next()
        while case .ask(let ask) = next {
            next = dialogue.next(try await answer(ask, orElse: dialogue.command, asker, caller))
        }
        switch next {
        case .ask, .refuse: return false
        case .end(let failure): throw failure
        case .prove(let granted):
            let when = granted.life.map { Fact($0) }
            let question = try PinentryQuestion.pin(allowing: granted.act, when: when, orElse: dialogue.command)
            try await core.askForPIN(question, caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                let proof = try await self.core.prove(pin, from: .person)
                self.requests.entered()
                try use(granted, proof)
            }
            return true
        }
    }

    /// Puts one question of a dialogue to the person. `command`: asks the same on a terminal.
    func answer(
        _ ask: Ask, orElse command: String, _ asker: any Asking, _ caller: CallerContext
    ) async throws -> Answer {
        guard let drawn = try ask.drawn(orElse: command) else { return .no }
        return try await asker.answer(drawn) { try await self.asking(caller, $0) }
    }

    /// The person refused by a button.
    package func refuse(byButtonOf id: String) throws { refuse(try requests.request(id)) }

    func asker(_ caller: CallerContext) async throws -> any Asking {
        guard caller.mayAsk, let asker = await core.dependencies.asker([:], nil) else { throw SessionError.notGranted }
        return asker
    }
}
