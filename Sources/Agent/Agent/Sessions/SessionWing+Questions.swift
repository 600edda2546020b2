import Basics
import Dialogue
import Pinentry
import Cryptography
import Keys
import SessionModel
import Sessions

/// The windows in which the person answers requests of programs. They stand where the person is, not where a program
/// says.
extension SessionWing {
    /// Asks for the PIN for one use of a grant. The question ends with its caller. After the person closed it, no
    /// program asks again for a while, and this program gets the refusal at the end of its `wait`.
    func askForPIN(
        _ grant: ProgramGrant, _ kind: TokenKind, _ session: SignIn, _ wait: Int64, _ caller: CallerContext
    ) async throws {
        let begun = clock.moment()
        guard !requests.isRefused(grant.program, session.id, at: begun) else {
            _ = await isAllowed(nil, wait, caller)
            throw SessionError.notGranted
        }
        guard caller.mayAsk else { throw SessionError.notGranted }
        guard let asker = await core.dependencies.asker([:], nil) else { throw SessionError.noWindow }
        let generation = core.generation
        let departure = caller.presence.onDeparture { Task { await self.takeBack() } }
        defer { caller.presence.forget(departure) }
        let choice = RequestPayload.Choice(session, TokenAim(scopes: grant.scopes, resources: grant.resources))
        let card = GrantCard(grant.program, choice, kind, requester: caller.requester.commands)
        let questions = try PinentryQuestion.oneUse(of: card, orElse: "countersign grants")
        do {
            var dialogue = GrantDialogue(using: card)
            guard case .prove = try await walk(&dialogue, asker, caller, questions.pages) else {
                throw Failure.cancelled
            }
            try await core.askForPIN(questions.pin, caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                _ = try await self.prove(pin)
            }
        } catch let failure as Failure
            where failure.kind == .cancelled && !caller.hasLeft && core.generation == generation && isAtHand
        {
            // The person closed it: neither the caller nor a lock took it off the screen.
            requests.refuse(grant.program, session.id, at: clock.moment())
            _ = await isAllowed(nil, wait - (clock.moment() - begun).components.seconds, caller)
            throw SessionError.notGranted
        }
        used()
    }

    /// Checks a PIN that was typed into a window.
    private func prove(_ pin: any Secret) async throws -> ProvedPIN {
        let proof = try await core.prove(pin, from: .person)
        requests.entered()
        return proof
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
        let asker = try await asker(caller)
        var dialogue = GrantDialogue(RequestPayload(request), before: .person(typesWords: false))
        switch try await walk(&dialogue, asker, caller) {
        case .ask, .refuse:
            refuse(request)
            return false
        case .end(let failure): throw failure
        case .prove(let granted):
            var life = try granted.life ?? AllowOptions()
            life.session = granted.session.flatMap(SessionName.init)
            let options = life
            let question = PinentryQuestion.pin(allowing: granted.act, when: Fact(options))
            return try await core.askForPIN(question, caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                let proof = try await self.prove(pin)
                _ = try self.allow(request, options, in: try self.demandAtHand(for: caller), by: proof)
                return true
            }
        }
    }

    /// Asks the questions of this dialogue, in windows, up to the PIN. `pages`: those of the card, if they are made already.
    private func walk(
        _ dialogue: inout GrantDialogue, _ asker: any Asking, _ caller: CallerContext, _ pages: PinentryPages? = nil
    ) async throws -> GrantDialogue.Next {
        var next = dialogue.next()
        while case .ask(let ask) = next {
            let drawn: DrawnAsk
            switch ask {
            case .grant(let act):
                drawn = .pages(try pages ?? PinentryQuestion.pages(of: act, orElse: dialogue.command))
            case .yesNo(let question): drawn = .yesNo(PinentryQuestion(question))
            default: return .refuse
            }
            next = dialogue.next(try await asker.answer(drawn) { try await self.asking(caller, $0) })
        }
        return next
    }

    /// The person refused by a button.
    package func refuse(byButtonOf id: String) throws { refuse(try requests.request(id)) }

    func asker(_ caller: CallerContext) async throws -> any Asking {
        guard caller.mayAsk, let asker = await core.dependencies.asker([:], nil) else { throw SessionError.notGranted }
        return asker
    }
}
