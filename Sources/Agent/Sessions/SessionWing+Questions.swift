import Basics
import Display
import Pinentry
import SCACrypto
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
        let card = GrantPages(
            program: grant.program, session: session,
            aim: TokenAim(scopes: grant.scopes, resources: grant.resources), kind: kind, requester: caller.requester)
        let questions = try card.questionForOneUse(
            "Give this program a token?", ok: "Yes", orElse: "countersign grants")
        do {
            guard try await read(questions.pages, asker, caller) == .read else { throw Failure.cancelled }
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
    public func review(_ id: String) async throws -> Bool {
        let caller = CallerContext.notification
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        let asker = try await asker(caller)
        guard let choice = try await chosen(of: request, asker, caller) else {
            refuse(request)
            return false
        }
        let card = GrantPages(
            program: request.program, claim: request.claim, isChangeable: request.isChangeable,
            session: choice.session, aim: choice.aim, kind: request.kind, requester: request.requester)
        let pages = try card.pages(
            "May this program have tokens?", ok: "Yes", orElse: "countersign allow \(request.id)")
        guard try await read(pages, asker, caller) == .read else {
            refuse(request)
            return false
        }
        let second = PinentryQuestion(
            "Also when nobody is here?",
            details: [
                DisplayText("Yes: until the agent shuts, also while the screen is locked."),
                DisplayText("No: only while sessions are at hand."),
            ], ok: "Yes")
        let use: ProgramGrant.Use =
            try await asking(caller, { try await asker.askYesOrNo(second) }) ? .unlocked : .open
        let options = try AllowOptions(use, session: choice.session.name)
        let when = DisplayText(use == .unlocked ? "also when nobody is here" : "while sessions are at hand")
        let last = card.question("Allow this program?", when: when, ok: "Allow")
        return try await core.askForPIN(last, caller) { question in
            try await self.asking(caller) { try await asker.askPIN(question) }
        } use: { pin in
            let proof = try await self.prove(pin)
            _ = try self.allow(request, options, in: try self.demandAtHand(for: caller), by: proof)
            return true
        }
    }

    /// Nobody looks through more windows for a session.
    private static let mostOffered = 5

    /// The session that the program may use: the only session, or the session that the person chooses. Nil where the
    /// person chooses none. Throws `SessionError` `needsChoice` where there are too many for windows.
    private func chosen(
        of request: ProgramRequest, _ asker: any Asking, _ caller: CallerContext
    ) async throws -> ProgramRequest.Choice? {
        let count = request.choices.count
        guard (2...Self.mostOffered).contains(count) else { return try request.choice(of: nil) }
        for (number, choice) in request.choices.enumerated() {
            let account = choice.session.identity.map { PinentryQuestion.short("Account", DisplayText($0.account)) }
            let question = PinentryQuestion(
                "Which session may this program use?",
                details: [
                    PinentryQuestion.line(
                        "Session", DisplayText("\(choice.session.name.text) (\(number + 1) of \(count))"))
                ] + (account.map { [$0] } ?? []) + [
                    PinentryQuestion.short("Issuer", DisplayText(choice.session.issuer.issuer.host)),
                    PinentryQuestion.short("Program", DisplayText(request.program.text)),
                ], ok: "This one", cancel: number + 1 < count ? "Another" : "None")
            if try await asking(caller, { try await asker.askYesOrNo(question) }) { return choice }
        }
        return nil
    }

    /// The person refused by a button.
    public func refuse(byButtonOf id: String) throws { refuse(try requests.request(id)) }

    func asker(_ caller: CallerContext) async throws -> any Asking {
        guard caller.mayAsk, let asker = await core.dependencies.asker([:], nil) else { throw SessionError.notGranted }
        return asker
    }

    private func read(
        _ pages: PinentryPages, _ asker: any Asking, _ caller: CallerContext
    ) async throws -> PinentryPages.End? {
        var pages = pages
        while let page = pages.current { pages.take(try await asking(caller) { try await asker.choose(page) }) }
        return pages.end
    }
}
