public import Authenticator
public import Basics
import CPlatform
import Dispatch
import Glibc

/// What front ends ask for. Whatever shows or denies needs an open vault; approving takes the PIN besides.
extension AgentCore: AgentServing, ApprovalServing {
    public func handshake() throws -> Handshake {
        let (state, waiting): (Handshake.State, Int?) =
            switch tick() {
            case .open(let open): (.open, open.cards.count)
            case .hidden(let hidden): (.hidden, hidden.count)
            case .nothing: (.shut, nil)
            }
        return Handshake(
            version: ProductVersion.text, vault: try parts.vaultID(), pid: getpid(), state: state, waiting: waiting)
    }

    public func status() throws -> StatusPayload {
        var status = StatusPayload(
            try parts.gate.status(), ended: try parts.endedConnections(), now: parts.clock.now())
        switch tick() {
        case .open(let open): (status.locked, status.keysInMemory, status.waiting) = (false, true, open.knownWaiting)
        case .hidden(let hidden): (status.keysInMemory, status.waiting) = (true, hidden.count)
        case .nothing: break
        }
        status.agent = .init(version: ProductVersion.text)
        return status
    }

    // MARK: The lock

    public func unlock(
        _ pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> StatusPayload {
        guard try parts.gate.status().isSet else { throw PINError(.notSet) }
        if let pin {
            try await open(with: pin, from: source, for: caller)
        } else {
            try await askForPIN(.unlock, caller) { try await self.open(with: $0, from: .person, for: caller) }
        }
        return try status()
    }

    private func open(with pin: any Secret, from source: PINSource, for caller: CallerContext) async throws {
        let (gate, locks) = (parts.gate, locks)
        guard let pinID = try parts.pinID() else { throw PINError(.notSet) }
        let vault = try await KeyringWindows.$areAllowed.withValue(caller.mayAsk) {
            try await blocking {
                let vault = try gate.open(with: pin, from: source)
                vault.readAhead()
                return vault
            }
        }
        try opened(vault, by: pinID, since: locks)
        // scrypt's memory goes back to the system.
        countersign_trim_memory()
    }

    public func lock() throws -> StatusPayload {
        shut()
        countersign_trim_memory()
        return try status()
    }

    public func use(for caller: CallerContext) throws {
        if caller.isPerson { use() }
        try demandOpen()
    }

    public func demandOpen() throws {
        guard case .open = tick() else { throw Self.isLocked }
    }

    public static let isLocked = Failure(.locked, "the agent is locked", hint: "countersign unlock")

    // MARK: Operations

    public func operations(for caller: CallerContext) throws -> any Operations { try local(for: caller) }

    public func known(_ connection: String?) throws -> PendingRound {
        guard case .open(let open) = tick() else { throw Self.isLocked }
        let cards = open.cards.values.filter { connection == nil || $0.connection.text == connection }
        return PendingRound(authorizations: cards.sorted(by: Card.areInOrder), failures: [], asked: 0, failed: 0)
    }

    private func local(for caller: CallerContext) throws -> LocalOperations {
        if caller.isPerson { use() }
        return try localWithoutUse(for: caller)
    }

    /// The same for what the agent does by itself, which keeps nothing open.
    func localWithoutUse(for caller: CallerContext) throws -> LocalOperations {
        guard case .open(let open) = tick() else { throw Self.isLocked }
        return LocalOperations(
            open.session, parts.setup, for: caller.requester, seen: open.seen, demandOpen: open.vault.demandOpen
        ) { [weak self] in await self?.connectionsChanged() }
    }

    /// The same for one decision, which holds the vault open from when it is recorded to when its answer is.
    private func deciding(for caller: CallerContext) throws -> (LocalOperations, AgentVault, AgentVault.Hold) {
        if caller.isPerson { use() }
        guard case .open(let open) = tick() else { throw Self.isLocked }
        let hold = open.vault.hold()
        var session = open.session
        session.beforeSending = { try hold.begin() }
        let operations = LocalOperations(session, parts.setup, for: caller.requester, seen: open.seen)
        return (operations, open.vault, hold)
    }

    public func events() -> AsyncThrowingStream<Event, any Error> { watch() }

    // MARK: Decisions

    public func approve(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        if let pin {
            var card: Card?
            if case .open(let open) = held { card = open.card(for: request) }
            return try await approve(request, card, pin, source, caller)
        }
        let operations = try local(for: caller)
        let item = try await operations.approvable(current(request))
        let card = Card(item.authorization, of: item.connection)
        guard !card.needsTypedTitle else {
            throw Failure(
                .locked, "the card has a warning, for which its title must be typed",
                hint: "countersign approve \(card.reference)")
        }
        let log = operations.session.log
        let generation = generation
        let entries = try? await blocking { try log.entries() }
        // Nothing is shown after a lock that came meanwhile.
        guard generation == self.generation, case .open = tick() else { throw Self.isLocked }
        fatigue.learn(from: (entries ?? []).map { HistoryPayload.Entry($0, withSource: false) }, by: parts.clock)
        return try await telling(card, caller) {
            try await show(card, to: .approve, caller)
            if fatigue.isRepetition(card.request, at: parts.clock.moment()) { try await askAgain(card, caller) }
            var chosen = request
            chosen.option = try await option(request.option, of: card, after: entries ?? [], caller)
            let request = chosen
            return try await askForPIN(.approve(card), caller) {
                try await self.approve(request, card, $0, .person, caller)
            }
        }
    }

    private func approve(
        _ request: DecisionRequest, _ card: Card?, _ pin: any Secret, _ source: PINSource, _ caller: CallerContext
    ) async throws -> DecisionPayload {
        let decision = try await decide(request, caller) { operations, request, isGivenUp in
            try await operations.approve(request, pin: pin, from: source, isGivenUp: isGivenUp)
        }
        if source == .person { use() }
        if let card, decision.error == nil { fatigue.approved(card.request, at: parts.clock.moment()) }
        return decision
    }

    public func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        if let pin {
            let decision = try await denying(request, pin, source, caller)
            if source == .person { use() }
            return decision
        }
        guard let card = try await cardThatNeedsPIN(toDeny: request, caller) else {
            guard caller.isNotification else { return try await denying(request, nil, source, caller) }
            var card: Card?
            if case .open(let open) = held { card = open.card(for: request) }
            return try await telling(card, caller) { try await denying(request, nil, source, caller) }
        }
        guard caller.mayAsk else { throw Failure.needsUnlock }
        return try await telling(card, caller) {
            try await show(card, to: .deny, caller)
            return try await askForPIN(.deny(card), caller) { try await self.denying(request, $0, .person, caller) }
        }
    }

    private func denying(
        _ request: DecisionRequest, _ pin: (any Secret)?, _ source: PINSource, _ caller: CallerContext
    ) async throws -> DecisionPayload {
        try await decide(request, caller) {
            try await $0.deny($1, pin: pin, from: source, isGivenUp: $2)
        }
    }

    /// What is to be denied, where that takes the PIN.
    private func cardThatNeedsPIN(toDeny request: DecisionRequest, _ caller: CallerContext) async throws -> Card? {
        let operations = try local(for: caller)
        let known: Card? = if case .open(let open) = held { open.card(for: request) } else { nil }
        if let known { return known.denialNeedsPIN ? known : nil }
        let item = try await operations.shown(current(request))
        let card = Card(item.authorization, of: item.connection)
        return card.denialNeedsPIN ? card : nil
    }

    /// The request with the reference that the authorization has by now.
    private func current(_ request: DecisionRequest) -> DecisionRequest {
        guard case .open(let open) = held else { return request }
        return open.current(request)
    }

    private func decide(
        _ request: DecisionRequest, _ caller: CallerContext,
        _ body: (LocalOperations, DecisionRequest, @escaping @Sendable () -> Bool) async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        let (operations, vault, hold) = try deciding(for: caller)
        let current = current(request)
        defer { hold.end() }
        let inFlight = inFlight
        let decision = try await inFlight.during(request) {
            try await KeyringWindows.$areAllowed.withValue(caller.mayAsk) {
                // After a lock nobody waits for the final word, which takes a vault to write down.
                try await body(operations, current) { inFlight.isGivenUp(request.ref) || vault.isClosed }
            }
        }
        if decision.alarm { parts.announcer.alarm(decision.ref, .overturned(decision.ref)) }
        // A front end without a terminal has a person too, unless it says otherwise.
        if caller.mayAsk { use() }
        return decision
    }

    public func giveUp(_ ref: String) -> Bool {
        var isAsked = questioned?.reference == ref
        if let questioned, case .open(let open) = held { isAsked = isAsked || open.areSame(ref, questioned.reference) }
        if isAsked { takeBack?() }
        return inFlight.giveUp(ref) || isAsked
    }

    // MARK: Enrollment

    public func beginEnrollment(
        _ request: EnrollmentRequest, for caller: CallerContext
    ) async throws -> OpenEnrollment {
        let operations = try local(for: caller)
        let steps =
            switch request {
            case .link(let link, let name): try operations.enrollment(of: link, name: name)
            case .again(let name): try operations.reconnection(of: name)
            }
        let (id, generation) = (try parts.setup.makeID(), generation)
        let offer = try await steps.begin()
        guard generation == self.generation else {
            await steps.abandon()
            throw Self.isLocked
        }
        enrollments[id] = steps
        return OpenEnrollment(id: id, offer: offer)
    }

    public func enrollment(_ id: String) throws -> (any EnrollmentSteps)? {
        guard let steps = enrollments[id] else { return nil }
        guard case .open = tick() else { throw Self.isLocked }
        return steps
    }

    public func endEnrollment(_ id: String) async {
        await enrollments.removeValue(forKey: id)?.abandon()
    }
}
