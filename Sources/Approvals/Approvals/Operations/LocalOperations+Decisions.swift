package import Basics
import FoundationEssentials
package import ApprovalModel
package import Keys

extension LocalOperations {
    package func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await naming(request) { try await approving(request, pin, source, isGivenUp) }
    }

    private func approving(
        _ request: DecisionRequest, _ pin: any Secret, _ source: PINSource, _ isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        let item = try await decidable(request, .approve)
        let option = try item.authorization.option(shownAs: request.option)
        let position = position(request, item)
        let deciding = Deciding(workspace)
        let shown = try ShownAuthorization(
            item.authorization, of: item.connection, named: request.fingerprint)
        let proof = try await proof(pin, source, shown)
        // Wiped before the decision is sent, which may take a while.
        pin.wipe()
        let decided = try await deciding.approve(
            shown, option: option, proof: proof, at: position, by: requester, waiting: waiting(request, isGivenUp))
        await look(at: item.connection)
        return payload(decided, .approve, item, request)
    }

    /// A PIN file that opened the vault for exactly this content approved it already; any other PIN is checked now.
    private func proof(
        _ pin: any Secret, _ source: PINSource, _ shown: ShownAuthorization
    ) async throws -> ProvedPIN {
        let fingerprint = shown.authorization.fingerprint
        if source == .file, let openedBy, openedBy.approves(fingerprint) { return openedBy }
        let gate = setup.gate
        return try await blocking { try gate.prove(pin, from: source, for: fingerprint) }
    }

    package func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await naming(request) { try await denying(request, pin, source, isGivenUp) }
    }

    private func denying(
        _ request: DecisionRequest, _ pin: (any Secret)?, _ source: PINSource,
        _ isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        let item = try await decidable(request, .deny)
        let deciding = Deciding(workspace)
        let shown = try ShownAuthorization(
            item.authorization, of: item.connection, named: request.fingerprint)
        var proof: ProvedPIN?
        if let pin {
            proof = try await self.proof(pin, source, shown)
            pin.wipe()
        }
        let decided = try await deciding.deny(
            shown, reason: request.reason, proof: proof, at: position(request, item), by: requester,
            waiting: waiting(request, isGivenUp))
        await look(at: item.connection)
        return payload(decided, .deny, item, request)
    }

    private func naming<Answer>(_ request: DecisionRequest, _ body: () async throws -> Answer) async throws -> Answer {
        try await naming(Reference(request.ref)?.connection?.text, request.ref, body)
    }

    /// The authorization that was shown under this reference and fingerprint; fetched if this process has not seen it.
    /// Throws `DecisionError`: `changed` if the bank's content is another one, or why it cannot get this decision now.
    package func decidable(_ request: DecisionRequest, _ verdict: Verdict) async throws -> Inbox.Item {
        guard let reference = Reference(request.ref), let name = reference.connection, let id = reference.bankID else {
            throw LookupError.needsWholeReference(request.ref)
        }
        let connection = try workspace.connection(named: name.text)
        let deciding = Deciding(workspace)
        let item: Inbox.Item
        if let seen = seen.authorization(id, of: connection.guid), seen.fingerprint == request.fingerprint {
            item = Inbox.Item(connection: connection, authorization: seen)
        } else {
            item = Inbox.Item(connection: connection, authorization: try await deciding.fetch(id, of: connection))
        }
        guard item.authorization.fingerprint == request.fingerprint else {
            throw DecisionError.changed
        }
        try deciding.demandDecidable(
            item.authorization, of: connection, verdict, hasPosition: position(request, item) != nil,
            at: workspace.clock.now())
        return item
    }

    private func position(_ request: DecisionRequest, _ item: Inbox.Item) -> Geolocation? {
        request.position ?? setup.positions[item.connection.name.text]
    }

    private func waiting(
        _ request: DecisionRequest, _ isGivenUp: @escaping @Sendable () -> Bool
    ) -> Deciding.Waiting {
        Deciding.Waiting(isOn: request.waits, interval: 1, limit: 120, isGivenUp: isGivenUp)
    }

    private func payload(
        _ decided: Decided, _ verdict: Verdict, _ item: Inbox.Item, _ request: DecisionRequest
    ) -> DecisionPayload {
        DecisionPayload(
            item.reference, verdict, decided, fingerprint: request.fingerprint,
            failure: Failure(
                decided, isAwaited: request.waits, isTimeless: item.authorization.expiresAt == nil)?.naming(
                    connection: item.connection.name.text, reference: item.reference))
    }
}

extension Failure {
    /// Why a logged decision did not have the wanted outcome; nil if it did. The outcome of a request without an expiry
    /// (`isTimeless`) never shows by itself.
    init?(_ decided: Decided, isAwaited: Bool, isTimeless: Bool) {
        let cause = decided.error.map { Failure($0) }
        // Read here because reading it inside the condition below crashes the optimizer of Swift 6.3.1.
        let isOverturned = decided.error?.kind == .denialOverturned
        switch decided.outcome {
        case .confirmed, .denied: return nil
        case .processing:
            guard isAwaited else { return nil }
            self = Failure(
                .unknown, "the bank is still working on it", hint: "countersign history tells the outcome later")
        case .refused:
            if let cause, isOverturned {
                self = cause
            } else {
                self = Failure(
                    .refused, cause?.message ?? "the bank did not accept the decision",
                    hint: cause?.hint ?? "countersign pending")
            }
        case .unsent:
            self = cause ?? Failure(.unreachable, "nothing could be sent to the bank", hint: "try again")
        case .expired:
            self = Failure(
                .expired, cause?.message ?? "it was over at the bank before the decision came",
                hint: "ask the bank to send it again")
        case .unknown:
            self = Failure(
                .unknown, (cause?.message ?? "no answer came") + "; whether it counts is not known",
                hint: isTimeless
                    ? "see whether the other side went on; countersign history keeps it as unknown"
                    : "it shows at the next: countersign pending, then countersign history")
        }
    }
}
