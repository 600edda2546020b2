import Approvals
import Basics
import Dialogue
import Keys
import ApprovalModel

/// Decisions that front ends and notifications ask for.
extension ApprovalWing {
    /// Decides with this PIN. Without one, walks the dialogue: it shows the whole card and takes the PIN if the verdict does. `isShown`:
    /// the person has just seen the whole card.
    func decide(
        _ verdict: Verdict, _ request: DecisionRequest, _ pin: EnteredPIN? = nil, isShown: Bool = false,
        for caller: CallerContext
    ) async throws -> DecisionPayload {
        if let pin {
            let (secret, source) = try pin.typed()
            return try await send(verdict, request, card(for: request), secret, source, caller)
        }
        let dialogue = try await dialogue(verdict, request, caller)
        if verdict == .deny, dialogue.takesPIN, !caller.mayAsk { throw Failure.needsUnlock }
        let card = dialogue.card
        func decided() async throws -> DecisionPayload {
            var request = request
            request.option = try await walk(dialogue, isShown: isShown, caller)
            guard dialogue.takesPIN else { return try await send(verdict, request, card, nil, .person, caller) }
            return try await askForPIN(to: verdict, card, choosing: request.option, caller) {
                try await self.send(verdict, request, card, $0, caller.pinSource, caller)
            }
        }
        // Without a question, the front end that asked says how it ended.
        guard dialogue.takesPIN || caller.isNotification else { return try await decided() }
        return try await telling(card, caller, decided)
    }

    private func dialogue(
        _ verdict: Verdict, _ request: DecisionRequest, _ caller: CallerContext
    ) async throws -> DecisionDialogue {
        let operations = try localOperations(for: caller)
        // Another program's choice is no choice of the person. `decidable` demands the position.
        let option = verdict == .approve && caller.isOwnProgram ? request.option : nil
        let terms = DecisionDialogue.Terms(hasPosition: true, option: option, isAgreed: verdict == .deny)
        let audience = Audience.person(typesWords: false)
        if verdict == .deny, let card = card(for: request) {
            return DecisionDialogue(.deny, on: card, terms, DecisionPast(), before: audience, at: clock.now())
        }
        let item = try await operations.decidable(current(request), verdict)
        let card = Card(item.authorization, of: item.connection)
        var past = DecisionPast()
        if verdict == .approve {
            let (log, generation) = (operations.workspace.log, core.generation)
            let entries = ((try? await blocking { try log.entries() }) ?? []).map {
                HistoryPayload.Entry($0, withSource: false)
            }
            // A lock may have come meanwhile; then nothing may be shown.
            guard generation == core.generation else { throw AgentCore.isLocked }
            try core.demandOpen()
            past = DecisionPast(of: card, .init(lately: entries, there: entries), &fatigue, by: clock)
        }
        return DecisionDialogue(verdict, on: card, terms, past, before: audience, at: clock.now())
    }

    private func send(
        _ verdict: Verdict, _ request: DecisionRequest, _ card: Card?, _ pin: (any Secret)?, _ source: PINSource,
        _ caller: CallerContext
    ) async throws -> DecisionPayload {
        var failure: Failure?
        defer { if let card { fatigue.decided(verdict, on: card, failure, at: clock.moment()) } }
        do {
            let decision = try await sending(request, caller) { operations, request, isGivenUp in
                switch (verdict, pin) {
                case (.deny, _): try await operations.deny(request, pin: pin, from: source, isGivenUp: isGivenUp)
                case (.approve, let pin?):
                    try await operations.approve(request, pin: pin, from: source, isGivenUp: isGivenUp)
                case (.approve, nil): throw Failure.needsPIN
                }
            }
            failure = decision.error?.failure
            if pin != nil, source == .person { core.use() }
            return decision
        } catch {
            failure = Failure(error)
            throw error
        }
    }

    /// The card that the request names, if it is known to wait.
    private func card(for request: DecisionRequest) -> Card? {
        if case .open(let open) = state { open.card(for: request) } else { nil }
    }

    /// The request with the authorization's present reference.
    private func current(_ request: DecisionRequest) -> DecisionRequest {
        if case .open(let open) = state { open.current(request) } else { request }
    }

    private func sending(
        _ request: DecisionRequest, _ caller: CallerContext,
        _ body: (LocalOperations, DecisionRequest, @escaping @Sendable () -> Bool) async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        core.use(for: caller)
        let open = try demandOpen()
        let vault = open.vault
        // Keeps the vault open from when the decision is recorded until its answer is.
        let lease = vault.lease()
        defer { lease.end() }
        var workspace = open.workspace
        workspace.beforeSending = { try lease.begin() }
        let operations = LocalOperations(
            workspace, dependencies.setup, for: caller.requester, seen: open.seen,
            requestsChanged: { [weak self] in await self?.requestsChanged(at: $0) })
        let current = current(request)
        let underWay = underWay
        let decision = try await underWay.during(request) {
            try await KeyringWindows.$areAllowed.withValue(caller.mayAsk) {
                // After a lock the final answer could not be written down, since that takes a vault.
                try await body(operations, current) { underWay.isGivenUp(request.ref) || vault.isClosed }
            }
        }
        if decision.error == nil { release(claimOf: current) }
        if decision.alarm { dependencies.announcer.alarm(decision.ref, .overturned(decision.ref)) }
        // A front end without a terminal has a person too, unless it says that nobody can be asked.
        if caller.mayAsk { core.use() }
        return decision
    }

    /// Gives up a decision: a PIN typed for it now sends nothing, and the bank's final answer is not awaited. Returns
    /// false when no decision on this REF is under way.
    func giveUp(_ ref: String) -> Bool {
        var isAsked = false
        if isQuestionOpen, let asked = question?.card.reference {
            isAsked = asked == ref
            if case .open(let open) = state { isAsked = isAsked || open.areSame(ref, asked) }
        }
        if isAsked { core.takeBack?() }
        return underWay.giveUp(ref) || isAsked
    }
}
