import Authenticator
import CPlatform
import Dispatch
import Display
import Glibc
public import SCA
import SCACrypto

/// What front ends ask for. Whatever shows or denies needs an open vault; approving takes the PIN besides.
extension AgentCore: AgentServing {
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
        var status = StatusPayload(try parts.gate.status(), now: parts.clock.now())
        let held = tick()
        if case .open = held { status.locked = false }
        if case .nothing = held {} else { status.keysInMemory = true }
        status.agent = .init(version: ProductVersion.text)
        return status
    }

    // MARK: The lock

    public func unlock(
        _ pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> StatusPayload {
        guard try parts.gate.status().isSet else { throw PINError(.notSet) }
        if let pin {
            try await open(with: pin, from: source)
        } else {
            try await askForPIN(.unlock, caller) { try await self.open(with: $0, from: .person) }
        }
        return try status()
    }

    private func open(with pin: any Secret, from source: PINSource) async throws {
        let gate = parts.gate
        let vault = try await blocking {
            let vault = try gate.open(with: pin, from: source)
            vault.readAhead()
            return vault
        }
        try opened(vault)
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
        guard case .open = tick() else { throw Self.isLocked }
    }

    static let isLocked = Failure(.locked, "the agent is locked", hint: "countersign unlock")

    // MARK: Operations

    public func operations(for caller: CallerContext) throws -> any Operations { try local(for: caller) }

    private func local(for caller: CallerContext) throws -> LocalOperations {
        if caller.isPerson { use() }
        guard case .open(let open) = tick() else { throw Self.isLocked }
        return LocalOperations(open.session, parts.setup, for: caller.requester, seen: open.seen)
    }

    public func events() -> AsyncThrowingStream<Event, any Error> { watch() }

    // MARK: Decisions

    public func approve(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        let operations = try local(for: caller)
        if let pin { return try await approve(request, operations, pin, source, caller) }
        let item = try await operations.shown(request)
        let card = Card(item.authorization, of: item.connection)
        guard !card.needsTypedTitle else {
            throw Failure(
                .locked, "the bank sent nothing to read but a title, which must be typed",
                hint: "countersign approve \(card.reference)")
        }
        isAwaited[request.ref] = true
        defer { isAwaited[request.ref] = nil }
        return try await askForPIN(.approve(card), caller) { pin in
            guard self.isAwaited.removeValue(forKey: request.ref) != false else { throw Failure.cancelled }
            return try await self.approve(request, operations, pin, .person, caller)
        }
    }

    private func approve(
        _ request: DecisionRequest, _ operations: LocalOperations, _ pin: any Secret, _ source: PINSource,
        _ caller: CallerContext
    ) async throws -> DecisionPayload {
        let inFlight = inFlight
        let decision = try await inFlight.during(request, by: caller.requester.pid) {
            try await operations.approve(
                request, pin: pin, from: source, isGivenUp: { inFlight.isGivenUp(request.ref) })
        }
        use()
        return decision
    }

    public func deny(_ request: DecisionRequest, for caller: CallerContext) async throws -> DecisionPayload {
        let operations = try local(for: caller)
        let inFlight = inFlight
        let decision = try await inFlight.during(request, by: caller.requester.pid) {
            try await operations.deny(request, isGivenUp: { inFlight.isGivenUp(request.ref) })
        }
        use()
        return decision
    }

    public func giveUp(_ ref: String) -> Bool {
        if isAwaited[ref] == nil { return inFlight.giveUp(ref) }
        isAwaited[ref] = false
        return true
    }

    // MARK: Enrollment

    public func beginEnrollment(
        _ request: EnrollmentRequest, for caller: CallerContext
    ) async throws -> OpenEnrollment {
        let operations = try local(for: caller)
        let steps: any EnrollmentSteps =
            switch request {
            case .link(let link, let name): try operations.enroll(link, name: name)
            case .again(let name): try operations.reconnect(name)
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

    public func enrollment(_ id: String) -> (any EnrollmentSteps)? { enrollments[id] }

    public func endEnrollment(_ id: String) async {
        await enrollments.removeValue(forKey: id)?.abandon()
    }
}

/// Runs what blocks (the keyring, scrypt, a pinentry) on a thread of its own, so that nobody else waits for it.
func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
