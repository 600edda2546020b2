import Approvals
import Basics
import Dialogue
import Keys

/// Decisions that front ends and notifications ask for.
extension ApprovalWing {
    /// Approves with this PIN, or asks for the PIN after showing the whole card if `pin` is nil.
    func approve(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        if let pin { return try await approve(request, card(for: request), pin, source, caller) }
        return try await approve(request, isShown: false, caller)
    }

    /// Approves with the PIN that it asks for. `isShown`: the person has just seen the whole card.
    func approve(
        _ request: DecisionRequest, isShown: Bool, _ caller: CallerContext
    ) async throws -> DecisionPayload {
        let operations = try localOperations(for: caller)
        let item = try await operations.decidable(current(request), .approve)
        let card = Card(item.authorization, of: item.connection)
        let log = operations.workspace.log
        let generation = core.generation
        let entries = ((try? await blocking { try log.entries() }) ?? []).map {
            HistoryPayload.Entry($0, withSource: false)
        }
        // A lock may have come meanwhile; then nothing may be shown.
        guard generation == core.generation else { throw AgentCore.isLocked }
        try core.demandOpen()
        let past = DecisionPast(of: card, .init(lately: entries, there: entries), &fatigue, by: clock)
        // Another program's choice is no choice of the person. A position was demanded above.
        let terms = DecisionDialogue.Terms(hasPosition: true, option: caller.isOwnProgram ? request.option : nil)
        let dialogue = DecisionDialogue(
            .approve, on: card, terms, past, before: .person(typesWords: false), at: clock.now())
        return try await telling(card, caller) {
            var chosen = request
            chosen.option = try await walk(dialogue, isShown: isShown, caller)
            let request = chosen
            return try await askForPIN(to: .approve, card, choosing: chosen.option, caller) {
                try await self.approve(request, card, $0, caller.pinSource, caller)
            }
        }
    }

    private func approve(
        _ request: DecisionRequest, _ card: Card?, _ pin: any Secret, _ source: PINSource, _ caller: CallerContext
    ) async throws -> DecisionPayload {
        let decision = try await decide(request, caller) { operations, request, isGivenUp in
            try await operations.approve(request, pin: pin, from: source, isGivenUp: isGivenUp)
        }
        if source == .person { core.use() }
        if let card, decision.error == nil { fatigue.approved(card.request, at: clock.moment()) }
        return decision
    }

    /// Denies. If denying takes the PIN and `pin` is nil, shows the whole card and then asks for the PIN.
    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        if let pin {
            let decision = try await denying(request, pin, source, caller)
            if source == .person { core.use() }
            return decision
        }
        return try await deny(request, isShown: false, caller)
    }

    /// Denies, with the PIN if that takes one. `isShown`: the person has just seen the whole card.
    func deny(_ request: DecisionRequest, isShown: Bool, _ caller: CallerContext) async throws -> DecisionPayload {
        guard let card = try await cardThatNeedsPIN(toDeny: request, caller) else {
            guard caller.isNotification else { return try await denying(request, nil, .person, caller) }
            return try await telling(card(for: request), caller) { try await denying(request, nil, .person, caller) }
        }
        guard caller.mayAsk else { throw Failure.needsUnlock }
        let dialogue = DecisionDialogue(
            .deny, on: card, .init(isAgreed: true), DecisionPast(), before: .person(typesWords: false), at: clock.now())
        return try await telling(card, caller) {
            _ = try await walk(dialogue, isShown: isShown, caller)
            return try await askForPIN(to: .deny, card, caller) {
                try await self.denying(request, $0, caller.pinSource, caller)
            }
        }
    }

    private func denying(
        _ request: DecisionRequest, _ pin: (any Secret)?, _ source: PINSource, _ caller: CallerContext
    ) async throws -> DecisionPayload {
        try await decide(request, caller) {
            try await $0.deny($1, pin: pin, from: source, isGivenUp: $2)
        }
    }

    /// The card of the request if denying it takes the PIN, and nil if not.
    private func cardThatNeedsPIN(toDeny request: DecisionRequest, _ caller: CallerContext) async throws -> Card? {
        let operations = try localOperations(for: caller)
        if let known = card(for: request) { return known.denialNeedsPIN ? known : nil }
        let item = try await operations.decidable(current(request), .deny)
        let card = Card(item.authorization, of: item.connection)
        return card.denialNeedsPIN ? card : nil
    }

    /// The card that the request names, if it is known to wait.
    private func card(for request: DecisionRequest) -> Card? {
        if case .open(let open) = state { open.card(for: request) } else { nil }
    }

    /// The request with the authorization's present reference.
    private func current(_ request: DecisionRequest) -> DecisionRequest {
        if case .open(let open) = state { open.current(request) } else { request }
    }

    private func decide(
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
        var isAsked = questioned?.reference == ref
        if let questioned, case .open(let open) = state { isAsked = isAsked || open.areSame(ref, questioned.reference) }
        if isAsked { core.takeBack?() }
        return underWay.giveUp(ref) || isAsked
    }
}
