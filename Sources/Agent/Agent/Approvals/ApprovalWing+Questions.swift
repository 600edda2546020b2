import Approvals
import Basics
import Dialogue
import Display
import Pinentry
import ApprovalModel
import Cryptography

/// Questions about one authorization. They leave the screen when it no longer waits.
extension ApprovalWing {
    /// Asks the questions of this dialogue, in windows, up to the PIN. Returns the option that was chosen. `isShown`: the person has just
    /// seen the whole card; else it is shown, also when a front end asked: that may have shown something else.
    func walk(_ dialogue: DecisionDialogue, isShown: Bool, _ caller: CallerContext) async throws -> String? {
        var dialogue = dialogue
        var next = dialogue.next()
        while case .ask(let ask) = next {
            let isRead = if case .card = ask { isShown } else { false }
            next = dialogue.next(isRead ? .yes : try await answer(ask, on: dialogue.card, to: dialogue.verdict, caller))
        }
        switch next {
        case .ask: throw Failure.cancelled
        case .end(let failure): throw failure
        case .decide(let option, _): return option
        }
    }

    /// Asks one question, except for the PIN.
    func answer(_ ask: Ask, on card: Card, to verdict: Verdict, _ caller: CallerContext) async throws -> Answer {
        guard let drawn = ask.drawn(on: counted(card), to: verdict, caller.requester.words, at: clock.now()) else {
            return .no
        }
        let asker = try await asker(for: caller, card)
        let answer = try await asker.answer(drawn) { try await self.asking(caller, about: card, $0) }
        if case .pages = drawn { core.use(for: caller) }
        return answer
    }

    /// The card, with how many requests wait at its connection.
    private func counted(_ card: Card) -> Card {
        if case .open(let open) = state { card.counted(among: open.cards.values) } else { card }
    }

    /// Asks the person whether another program may do this without the PIN: `change` describes the action, with our own
    /// words and names. Our own program has asked already. Throws `cancelled` for a no, and a failure of kind `locked`
    /// if nobody can be asked or content may not be shown.
    func demandYes(to change: String, for caller: CallerContext) async throws {
        guard !caller.isOwnProgram else { return }
        try core.demandOpen()
        let dependencies = core.dependencies
        // Not where that program says: a script there could answer by itself.
        let asker = caller.mayAsk ? await dependencies.asker([:], nil) : nil
        let question = Question.foreign(change, caller.requester.words)
        guard let asker else { throw Failure(.locked, question.unasked, hint: "use the command countersign itself") }
        let window = PinentryQuestion(question)
        guard try await core.asking(caller, { try await asker.askYesOrNo(window) }) else { throw Failure.cancelled }
        try core.demandOpen()
    }

    /// Asks for the PIN for a decision on a card that was shown before.
    func askForPIN(
        to verdict: Verdict, _ card: Card, choosing option: String? = nil, _ caller: CallerContext,
        use: @AgentActor (LockedBytes) async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        let asker = try await asker(for: caller, to: verdict, card)
        let question = PinentryQuestion.pin(to: verdict, card, choosing: option, caller.requester.words)
        return try await core.askForPIN(question, caller) { question in
            try await self.asking(caller, about: card) { try await asker.askPIN(question) }
        } use: {
            try await use($0)
        }
    }

    private func asker(
        for caller: CallerContext, to verdict: Verdict = .approve, _ card: Card
    ) async throws -> any Asking {
        try await core.asker(for: caller, orElse: "countersign \(verdict.rawValue) \(card.reference)")
    }

    private func asking<Answer: Sendable>(
        _ caller: CallerContext, about card: Card, _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try core.demandNoQuestion(for: caller)
        try begin(card)
        isQuestionOpen = true
        let timer = Task {
            if await card.awaitExpiry(by: clock) { changeQuestion(about: card) { $0.end(.expired, at: clock.now()) } }
        }
        let looker = Task { await self.lookWhileUnlisted(card, caller) }
        defer {
            timer.cancel()
            looker.cancel()
            isQuestionOpen = false
        }
        let answer: Answer
        do {
            answer = try await core.asking(caller, ask)
        } catch let failure as Failure where failure.kind == .cancelled {
            throw question?.ending ?? failure
        }
        // An answer that came in the same moment as the end does not count.
        if let ending = question?.ending { throw ending }
        return answer
    }

    /// Throws if the authorization cannot be approved any more, or has left the list since the question before. An authorization that no
    /// poll has brought yet passes. A denial that asks is one that could be used as an approval.
    private func begin(_ card: Card) throws {
        if let error = card.obstacle(to: .approve, hasPosition: true, at: clock.now()) { throw error }
        guard case .open(let open) = state else { throw AgentCore.isLocked }
        let isListed = open.cards.values.contains { $0.fingerprint == card.fingerprint }
        if !isListed, let question, question.isListed, question.card.fingerprint == card.fingerprint {
            throw Failure.gone
        }
        question = OpenQuestion(about: card, isListed: isListed)
    }

    /// Asks the bank every few seconds until a poll has brought the authorization: if it is withdrawn before that, no
    /// poll reports it.
    private func lookWhileUnlisted(_ card: Card, _ caller: CallerContext) async {
        while true {
            try? await clock.sleep(for: .seconds(3))
            guard !Task.isCancelled, let question, !question.isListed, question.ending == nil else { return }
            let served: Result<Card, any Error>
            do {
                let operations = try operationsWithoutUse(for: caller)
                served = .success(try await operations.card(card.reference, abbreviated: false, withSource: false))
            } catch {
                served = .failure(error)
            }
            changeQuestion(about: card) { $0.take(served, at: clock.now()) }
        }
    }

    /// Changes the question on the screen, if it is about this card. If that ends it, it leaves the screen, and asking for it throws the
    /// reason.
    func changeQuestion(about card: Card? = nil, _ change: (inout OpenQuestion) -> Void) {
        guard isQuestionOpen, var changed = question, card == nil || card?.fingerprint == changed.card.fingerprint,
            changed.ending == nil
        else { return }
        change(&changed)
        question = changed
        if changed.ending != nil { core.takeBack?() }
    }
}
