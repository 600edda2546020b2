import Client
import Agent
import Approvals
import Basics
import FoundationEssentials
import Pinentry
import Synchronization

/// The windows about one request. They close by themselves when no answer is needed any more: the request has expired,
/// its bank has withdrawn it or changed its content, or the agent was locked.
final class DecisionWindows: Sendable {
    private struct State {
        /// Changes if the connection is renamed.
        var reference: String
        /// Whether an event brought the request; then an event will also report its end.
        var isListed = false
        /// Why no more windows open; nil while they do.
        var ending: Failure?
        var open: PinentryCancellation?
    }

    let card: Card
    private let clock: Clock
    private let state: Mutex<State>

    init(_ card: Card, _ clock: Clock) {
        self.card = card
        self.clock = clock
        state = Mutex(State(reference: card.reference))
    }

    /// Runs `body`, which asks in a window that `question` can take back. If the windows were closed, throws the
    /// reason, even if the person answered in the same moment.
    func asking<R>(_ question: PinentryCancellation, _ body: () throws -> R) throws -> R {
        try state.withLock { state in
            if let ending = state.ending { throw ending }
            state.open = question
        }
        let answer = Result { try body() }
        let ending = state.withLock { state in
            state.open = nil
            return state.ending
        }
        if let ending { throw ending }
        return try answer.get()
    }

    /// Closes the windows at `expiresAt`. Returns earlier if its task is cancelled. An expired request may still be denied, so its windows
    /// stay open.
    func closeWhenExpired() async {
        if !card.isExpired(at: clock.now()), await card.awaitExpiry(by: clock) { close(.expired) }
    }

    /// Closes the windows if this event ends the request.
    func take(_ event: Event) {
        switch event.kind {
        case .locked: close(AgentCore.isLocked)
        case .added(let other) where isSame(other): state.withLock { $0.isListed = true }
        case .added(let other), .changed(let other):
            if !isSame(other), other.reference == state.withLock({ $0.reference }) { close(.changed) }
        case .removed(let other, let new):
            guard isSame(other) else { return }
            guard let new else { return close(.gone) }
            state.withLock { $0.reference = new }
        // Only a locked agent sends this event: it was locked before the first events came.
        case .waiting: close(AgentCore.isLocked)
        case .decided, .failure, .recovered, .heard, .unlocked: break
        }
    }

    /// Closes the windows if events cannot be read because the agent was locked.
    func cannotHear(_ error: any Error) {
        if Failure(error).kind == .locked { close(AgentCore.isLocked) }
    }

    private func isSame(_ other: Card) -> Bool { other.fingerprint == card.fingerprint }

    /// Checks a request that was never on the bank's list, when an event brings news of that list: the request may have
    /// been withdrawn before. `ask` fetches it from the bank.
    func look(_ event: Event, _ ask: () async throws -> Card) async {
        guard case .heard(let banks) = event.kind else { return }
        let isHeard = banks.contains {
            $0.connection == card.connection.text && $0.heardAt != nil && $0.failure == nil
        }
        guard isHeard, !state.withLock({ $0.isListed }) else { return }
        do {
            let served = try await ask()
            if !served.isPending { close(.gone) }
        } catch {
            if Failure(error).kind == .notFound { close(.gone) }
        }
    }

    private func close(_ failure: Failure) {
        state.withLock { state in
            guard state.ending == nil else { return }
            state.ending = card.ending(failure, at: clock.now()).naming(reference: state.reference)
            state.open?.cancel()
        }
    }
}
