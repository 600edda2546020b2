import Client
import Approvals
import Basics
import Dialogue
import FoundationEssentials
import Pinentry
import Synchronization

/// The windows about one request. They close by themselves when no answer is needed any more: the request has expired,
/// its bank has withdrawn it or changed its content, or the agent was locked.
final class DecisionWindows: Sendable {
    private struct State {
        var question: OpenQuestion
        var open: PinentryCancellation?
    }

    let card: Card
    private let clock: Clock
    private let state: Mutex<State>

    init(_ card: Card, _ clock: Clock) {
        self.card = card
        self.clock = clock
        state = Mutex(State(question: OpenQuestion(about: card)))
    }

    /// Runs `body`, which asks in a window that `question` can take back. If the windows were closed, throws the
    /// reason, even if the person answered in the same moment.
    func asking<R>(_ question: PinentryCancellation, _ body: () throws -> R) throws -> R {
        try state.withLock { state in
            if let ending = state.question.ending { throw ending }
            state.open = question
        }
        let answer = Result { try body() }
        let ending = state.withLock { state in
            state.open = nil
            return state.question.ending
        }
        if let ending { throw ending }
        return try answer.get()
    }

    /// Closes the windows at `expiresAt`. Returns earlier if its task is cancelled. An expired request may still be denied, so its windows
    /// stay open.
    func closeWhenExpired() async {
        if !card.isExpired(at: clock.now()), await card.awaitExpiry(by: clock) {
            change { $0.end(.expired, at: clock.now()) }
        }
    }

    /// Closes the windows if this event ends the request.
    func take(_ event: Event) { change { $0.take(event, at: clock.now()) } }

    /// Closes the windows if events cannot be read because the agent was locked.
    func cannotHear(_ error: any Error) {
        if Failure(error).kind == .locked { change { $0.end(.agentLocked, at: clock.now()) } }
    }

    /// Checks a request that was never on the bank's list, when an event brings news of that list: the request may have
    /// been withdrawn before. `ask` fetches it from the bank.
    func look(_ event: Event, _ ask: () async throws -> Card) async {
        guard case .heard(let banks) = event.kind else { return }
        let isHeard = banks.contains {
            $0.connection == card.connection.text && $0.heardAt != nil && $0.failure == nil
        }
        guard isHeard, !state.withLock({ $0.question.isListed }) else { return }
        let served: Result<Card, any Error>
        do { served = .success(try await ask()) } catch { served = .failure(error) }
        change { $0.take(served, at: clock.now()) }
    }

    private func change(_ change: (inout OpenQuestion) -> Void) {
        state.withLock { state in
            change(&state.question)
            if state.question.ending != nil { state.open?.cancel() }
        }
    }
}
