import Approvals
import Basics
import Desktop

/// The person's actions on these notes.
extension ApprovalNotes {
    /// Does nothing for a note of another job.
    func obey(_ event: NotifierEvent, _ approvals: ApprovalWing) async {
        switch event {
        case .pressed(.unlock, let key, _):
            await trying(of: nil) { try await approvals.unlockForNotification() }
            change { state in
                guard notes.isHidden, key == Self.lockedKey else { return }
                (state.isLockDue, state.isLockNews) = (true, true)
            }
        case .pressed(.review, let key, _) where await showsInWindow(key): break
        case .pressed(.review, WaitingNotes.allKey, _):
            await trying(of: nil) {
                try await approvals.reviewAll { key in change { $0.waiting.retract(key) } }
            }
            change { $0.waiting.bringBack(WaitingNotes.allKey) }
        case .pressed(.review, let key, _): await decide(key) { try await approvals.review($0) }
        case .pressed(.deny, let key, let fingerprint):
            await decide(key) { try await approvals.deny($0, showing: fingerprint) }
        case .pressed(.signIn, _, _), .left: break
        }
    }

    /// Where the application's window is installed, it takes the review over; its note does not come back.
    private func showsInWindow(_ key: String) async -> Bool {
        if key == WaitingNotes.allKey { return await window("") }
        guard let card = state.withLock({ $0.waiting.card(of: key) }) else { return false }
        return await window(card.reference)
    }

    /// A request that was decided no longer waits, even if the bank still lists it. If it was not decided, its note
    /// comes back.
    private func decide(_ key: String, _ body: (String) async throws -> Bool) async {
        guard let card = state.withLock({ $0.waiting.card(of: key) }) else { return }
        var isDecided = false
        await trying(of: card) { isDecided = try await body(key) }
        change { state in
            if isDecided { state.waiting.retract(key) }
            state.waiting.bringBack(key)
        }
    }

    private func trying(of card: Card?, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            let failure = Failure(error)
            if failure.kind != .cancelled { tell(.failed(failure), of: card) }
        }
    }
}
