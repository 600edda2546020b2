import Approvals
import Basics
import Dialogue
import ApprovalModel

/// Review on the one note that stands for many requests.
extension ApprovalWing {
    /// Carries the dialogue of a review to windows. A failure at one request shows a note. Throws the failure that ends it: of kind
    /// `cancelled` when the person does, and of kind `locked` when nothing can be decided any more.
    ///
    /// - Parameter decided: called with the key of each request that was decided without an error.
    func reviewAll(_ decided: (_ key: String) -> Void) async throws {
        var dialogue = ReviewDialogue<ItemKey>()
        var next = dialogue.next(among: try demandOpen().cards, at: clock.now())
        while true {
            let event: ReviewDialogue<ItemKey>.Event
            switch next {
            case .ask(let ask, let card):
                core.use()
                event = await review(card) { .answer(try await answer(ask, on: card, to: .approve, .notification)) }
            case .decide(let verdict, let card, let key):
                core.use()
                event = await review(card) {
                    let decision = try await decide(verdict, request(card), isShown: true, for: .notification)
                    if decision.error == nil { decided(key.text) }
                    return .decided
                }
            case .end(let failure?): throw failure
            case .end: return
            }
            next = dialogue.next(event, among: try cards(after: event), at: clock.now())
        }
    }

    /// The requests that wait after a step. Throws, if all was locked meanwhile, the reason why nothing more is asked: that lock, or the
    /// person, who closed the window.
    private func cards(after event: ReviewDialogue<ItemKey>.Event) throws -> [ItemKey: Card] {
        do {
            return try demandOpen().cards
        } catch {
            if case .failed(let failure) = event, failure.kind == .cancelled { throw failure }
            throw error
        }
    }

    /// The result of one step, with a note on a failure that the person did not cause.
    private func review(
        _ card: Card, _ step: () async throws -> ReviewDialogue<ItemKey>.Event
    ) async -> ReviewDialogue<ItemKey>.Event {
        do {
            return try await step()
        } catch {
            let failure = Failure(error)
            if !tellClosedWindow(failure, card), failure.kind != .cancelled, failure.kind != .locked {
                dependencies.announcer.tell(.failed(failure), of: card)
            }
            return .failed(failure)
        }
    }
}
