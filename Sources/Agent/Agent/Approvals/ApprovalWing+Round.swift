import Approvals
import Basics
import Dialogue
import ApprovalModel

/// Review on the one note that stands for many requests.
extension ApprovalWing {
    /// Goes through the requests one after the other, the first to expire first: the person approves, denies or skips
    /// each. Requests that come meanwhile take their place. A failure at one request shows a note and does not end the
    /// round. Throws a failure of kind `cancelled` when the person ends it, and of kind `locked` when nothing can be
    /// decided any more.
    ///
    /// - Parameter decided: called with the key of each request that was decided without an error.
    func reviewAll(_ decided: (_ key: String) -> Void) async throws {
        var seen: Set<ItemKey> = []
        while true {
            let rest = try demandOpen().cards.filter { key, card in
                !seen.contains(key) && card.isWaiting(at: clock.now())
            }
            guard let (key, card) = rest.min(by: { $0.value.expires(before: $1.value) }) else { return }
            let place = Place(seen.count + 1, of: seen.count + rest.count)
            seen.insert(key)
            core.use()
            do {
                if try await review(card, at: place) { decided(key.text) }
            } catch {
                let failure = Failure(error)
                if tellClosedWindow(failure, card) { continue }
                switch failure.kind {
                case .cancelled:
                    // A window that closed by itself looks like this, too; its note was shown.
                    guard case .open(let open) = state, open.cards[key] == nil || card.isExpired(at: clock.now()) else {
                        throw failure
                    }
                case .locked: throw failure
                default: dependencies.announcer.tell(.failed(failure), of: card)
                }
            }
        }
    }

    /// Returns whether the request was decided without an error.
    private func review(_ card: Card, at place: Place) async throws -> Bool {
        let caller = CallerContext.notification
        guard let verdict = try await verdict(on: card, at: place, caller) else { return false }
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        return try await decide(verdict, request, isShown: true, for: caller).error == nil
    }
}
