import Approvals
import Basics
import Display
import LocalSocket
import Pinentry

/// The buttons of notifications, and the notes on how decisions outside of any front end ended.
extension ApprovalWing {
    /// The person pressed Unlock.
    func unlockForNotification() async throws {
        try await core.unlock(nil, from: .person, for: .notification)
    }

    /// The person pressed Review: shows the whole card, page by page, then takes the PIN.
    ///
    /// - Parameter key: the key that the notification was announced under.
    /// - Returns: whether the request was decided without an error.
    func review(_ key: String) async throws -> Bool {
        let request = try request(key)
        return try await decide(.approve, request, for: .notification).error == nil
    }

    /// The person pressed Deny on a notification that showed the content with this fingerprint, in hexadecimal digits.
    /// If denying takes the PIN, shows the whole card first, as for Review.
    ///
    /// - Returns: whether the request was decided without an error.
    func deny(_ key: String, showing fingerprint: String) async throws -> Bool {
        let request = try request(key) { card in
            guard card.fingerprint.hex == fingerprint else {
                throw Failure.changed.naming(reference: card.reference)
            }
        }
        return try await decide(.deny, request, for: .notification).error == nil
    }

    /// The request that this key names. Pressing a button prolongs the unlock, unless `check` throws.
    private func request(_ key: String, _ check: (Card) throws -> Void = { _ in }) throws -> DecisionRequest {
        let open = try demandOpen()
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        try check(card)
        core.use()
        return self.request(card)
    }

    /// The decision on this card, which the bank's final answer ends.
    func request(_ card: Card) -> DecisionRequest {
        DecisionRequest(ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
    }

    /// Shows a code to type at the other side in a window, because desktops keep the text of notifications. Nobody else
    /// shows it if a notification was pressed.
    private func show(codeOf decision: DecisionPayload, _ caller: CallerContext) async {
        guard caller.isNotification, let code = decision.code else { return }
        let message = PinentryQuestion(
            "Type this at the other side now:",
            details: [DisplayText(shown: code) ?? DisplayText(code)]
                + (decision.codeMessage.map { [DisplayText(shown: $0) ?? DisplayText($0)] } ?? []))
        do {
            let asker = try await core.asker(for: caller, orElse: "countersign doctor")
            // A lock closes the window.
            try await core.asking(caller) { try await asker.show(message) }
        } catch {
            dependencies.announcer.tell(
                .failed(
                    Failure(
                        .internal, "the code to type could not be shown", hint: "begin again at the other side")),
                of: nil)
        }
    }

    /// Shows a note on how a decision ended that the person made outside of any front end. There is no note when the
    /// person cancelled it. The announcer that handled a notification's button shows its failure.
    func telling(
        _ card: Card?, _ caller: CallerContext, _ decide: () async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        do {
            let decision = try await decide()
            // The alarm has its own note.
            if !decision.alarm { dependencies.announcer.tell(.decided(decision), of: card) }
            await show(codeOf: decision, caller)
            return decision
        } catch {
            let failure = Failure(error)
            if tellClosedWindow(failure, card) {
                // The note was shown, so the announcer that heard the button has nothing to add.
                throw caller.isNotification ? Failure.cancelled : failure
            }
            if failure.kind != .cancelled, !caller.isNotification {
                dependencies.announcer.tell(.failed(failure), of: card)
            }
            throw error
        }
    }

    /// Shows a note if this failure says that the window closed by itself. Returns whether it does.
    func tellClosedWindow(_ failure: Failure, _ card: Card?) -> Bool {
        guard question?.ending?.kind == failure.kind else { return false }
        switch question?.takeEnding()?.kind {
        case .expired: dependencies.announcer.tell(.expired, of: card)
        case .notFound: dependencies.announcer.tell(.withdrawn, of: card)
        default: return false
        }
        return true
    }
}
