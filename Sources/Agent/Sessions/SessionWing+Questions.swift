import Basics
import Display
import Pinentry
import SCACrypto
import Sessions

/// The windows in which the person answers what programs ask for. They stand where the person is, not where a program says.
extension SessionWing {
    /// Asks for the PIN for one use of a grant. The question ends with its caller; a person who closes it is not asked again for a while.
    func askForPIN(
        _ grant: ProgramGrant, _ kind: TokenKind, _ session: SignIn, _ caller: CallerContext
    ) async throws {
        guard !requests.isRefused(grant.program, session.id, at: clock.moment()) else {
            throw SessionError.refusedByPerson
        }
        let asker = try await asker(caller)
        let generation = core.generation
        let departure = caller.presence.onDeparture { Task { await self.takeBack() } }
        defer { caller.presence.forget(departure) }
        let question = PinentryQuestion(
            "Give this program a token?",
            details: Self.details(grant.program, session, kind, grant.scopes, grant.resources, caller.requester),
            ok: "Yes")
        do {
            try await core.askForPIN(question, caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                try await self.prove(pin)
            }
        } catch let failure as Failure
            where failure.kind == .cancelled && !caller.hasLeft && core.generation == generation && isAtHand
        {
            // The person closed it: neither the caller nor a lock took it off the screen.
            requests.refuse(grant.program, session.id, at: clock.moment())
            throw failure
        }
        used()
    }

    /// Checks a PIN that was typed into a window.
    private func prove(_ pin: any Secret) async throws {
        try await core.prove(pin, from: .person)
        unanswered.entered()
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

    /// Shows what a program asks for, and grants it with the PIN. Returns false for a no.
    public func review(_ id: String) async throws -> Bool {
        let caller = CallerContext.notification
        _ = try demandAtHand(for: caller)
        let request = try requests.request(id)
        let asker = try await asker(caller)
        var details = Self.details(
            request.program, request.session, request.kind, request.aim.scopes ?? request.session.granted,
            request.aim.resources.isEmpty ? request.session.resources : request.aim.resources, request.requester)
        if request.isChangeable {
            details.append(DisplayText("Any of your programs could change this program's file."))
        }
        let first = PinentryQuestion("May this program have tokens?", details: details, ok: "Yes")
        guard try await asking(caller, { try await asker.askYesOrNo(first) }) else {
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
        let options = try AllowOptions(use)
        let when = DisplayText(use == .unlocked ? "also when nobody is here" : "while sessions are at hand")
        let last = PinentryQuestion(
            "Allow this program?", details: details + [PinentryQuestion.line("When", when)], ok: "Allow")
        return try await core.askForPIN(last, caller) { question in
            try await self.asking(caller) { try await asker.askPIN(question) }
        } use: { pin in
            try await self.prove(pin)
            _ = try self.allow(request, options, in: try self.demandAtHand(for: caller))
            return true
        }
    }

    /// The person refused by a button.
    public func refuse(byButtonOf id: String) throws { refuse(try requests.request(id)) }

    func asker(_ caller: CallerContext) async throws -> any Asking {
        guard caller.mayAsk, let asker = await core.parts.asker([:], nil) else { throw SessionError.notGranted }
        return asker
    }

    private static func details(
        _ program: Program, _ session: SignIn, _ kind: TokenKind, _ scopes: Scopes, _ resources: [ResourceIndicator],
        _ requester: Requester
    ) -> [DisplayText] {
        let account = session.identity.map { [PinentryQuestion.short("Account", DisplayText($0.account))] } ?? []
        let services = resources.map { PinentryQuestion.short("Service", DisplayText($0.text)) }
        let aim =
            switch kind {
            case .access:
                [PinentryQuestion.short("Scopes", DisplayText(scopes.isEmpty ? "none in particular" : scopes.text))]
                    + services.prefix(4)
            case .id: [PinentryQuestion.line("ID token", DisplayText("it proves to others who you are"))]
            }
        return [
            PinentryQuestion.short("Program", DisplayText(program.text)),
            PinentryQuestion.line("Session", DisplayText(session.name.text)),
        ] + account + [
            PinentryQuestion.line("Issuer", DisplayText(session.issuer.issuer.host))
        ] + aim + [requester.words]
    }
}
