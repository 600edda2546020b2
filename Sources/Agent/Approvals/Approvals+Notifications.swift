import Authenticator
import Basics
import LocalSocket

/// What the person presses on notifications, and what is told there of decisions outside of any front end.
extension Approvals {
    /// The person pressed Unlock.
    func unlockForNotification() async throws {
        try await core.unlock(nil, from: .person, for: .notification)
    }

    /// The person pressed Review: shows the whole card, page by page, then takes the PIN.
    ///
    /// - Parameter key: what the notification was announced as.
    /// - Returns: whether it is decided, and all is well.
    func review(_ key: String) async throws -> Bool {
        let request = try request(key)
        return try await approve(request, pin: nil, from: .person, for: .notification).error == nil
    }

    /// The person pressed Deny on a notification that showed what has this fingerprint, in hexadecimal digits. Where that takes
    /// the PIN, the whole card comes first, as for Review.
    ///
    /// - Returns: whether it is decided, and all is well.
    func deny(_ key: String, showing fingerprint: String) async throws -> Bool {
        let request = try request(key) { card in
            guard card.fingerprint.hex == fingerprint else {
                throw Failure.changed.naming(reference: card.reference)
            }
        }
        return try await deny(request, pin: nil, from: .person, for: .notification).error == nil
    }

    /// What a decision on this key is about. Pressing its button is use, unless `check` throws.
    private func request(_ key: String, _ check: (Card) throws -> Void = { _ in }) throws -> DecisionRequest {
        let open = try demandOpen()
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        try check(card)
        core.use()
        return DecisionRequest(ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
    }

    /// Tells how a decision ended that the person made outside of any front end. Without a word where the person cancelled it;
    /// what fails for a notification is told where that is heard.
    func telling(
        _ card: Card?, _ caller: CallerContext, _ decide: () async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        do {
            let decision = try await decide()
            // An alarm is told as one.
            if !decision.alarm { parts.announcer.tell(.decided(decision), of: card) }
            return decision
        } catch {
            let failure = Failure(error)
            if let outcome = closedWindow(failure) {
                parts.announcer.tell(outcome, of: card)
                // It was told: who heard the button has nothing to add.
                throw caller.isNotification ? Failure.cancelled : failure
            }
            if failure.kind != .cancelled, !caller.isNotification { parts.announcer.tell(.failed(failure), of: card) }
            throw error
        }
    }

    /// Why a window closed by itself, where this failure came of that.
    private func closedWindow(_ failure: Failure) -> ReviewOutcome? {
        guard questionEnding?.kind == failure.kind else { return nil }
        questionEnding = nil
        return switch failure.kind {
        case .expired: .expired
        case .notFound: .withdrawn
        default: nil
        }
    }
}

extension CallerContext {
    /// The person, by a notification of the agent itself.
    static var notification: CallerContext {
        var requester = Requester.current()
        requester.commands.insert("a desktop notification", at: 0)
        var caller = CallerContext(requester: requester, isOwnProgram: true, isPerson: true)
        caller.isNotification = true
        return caller
    }
}
