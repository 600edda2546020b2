internal import Authenticator
internal import Basics
internal import Synchronization

/// The events that wait for one watcher. They are kept nowhere else, so wiping this queue wipes them.
final class OutgoingEvents: Sendable {
    private enum End {
        case finished
        case overflowed
    }

    private struct State {
        /// Newest last.
        var incoming: [Event] = []
        /// The older ones, newest first.
        var outgoing: [Event] = []
        var end: End?
        var taker: CheckedContinuation<Event?, any Error>?

        var count: Int { incoming.count + outgoing.count }

        mutating func take() -> Event? {
            if outgoing.isEmpty {
                outgoing = incoming.reversed()
                incoming = []
            }
            return outgoing.popLast()
        }

        mutating func clear() {
            incoming = []
            outgoing = []
        }
    }

    private let most: Int
    private let state: Mutex<State>

    /// Begins with `first`, and takes `room` more before one of them is taken.
    init(first: [Event], room: Int) {
        most = first.count + room
        state = Mutex(State(incoming: first))
    }

    /// Returns false when the queue is full (`more` events are allowed beyond its room). Then everything in it is dropped, and
    /// the taker learns that.
    func put(_ event: Event, more: Int = 0) -> Bool {
        let (taker, isOpen) = state.withLock { state -> (CheckedContinuation<Event?, any Error>?, Bool) in
            guard state.end == nil else { return (nil, false) }
            if let taker = state.taker {
                state.taker = nil
                return (taker, true)
            }
            // What was not told yet may not be told after the lock.
            if event.name == .locked { state.clear() }
            // Only the newest counts.
            if event.name == .heard { state.incoming.removeAll { $0.name == .heard } }
            guard state.count < most + more else {
                state.clear()
                state.end = .overflowed
                return (nil, false)
            }
            state.incoming.append(event)
            return (nil, true)
        }
        taker?.resume(returning: event)
        return isOpen
    }

    /// The next event, as soon as there is one; nil at the end. Throws when somebody did not take what was put. For one
    /// caller at a time; when its task is cancelled this is the end.
    func next() async throws -> Event? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { taker in
                let outcome = state.withLock { state -> Result<Event?, any Error>? in
                    if let event = state.take() { return .success(event) }
                    switch state.end {
                    case .finished: return .success(nil)
                    case .overflowed: return .failure(Self.didNotKeepUp)
                    case nil:
                        state.taker = taker
                        return nil
                    }
                }
                if let outcome { taker.resume(with: outcome) }
            }
        } onCancel: {
            finish(dropping: true)
        }
    }

    /// Takes no more. What waits is still given, unless it is dropped.
    func finish(dropping: Bool = false) {
        let taker = state.withLock { state in
            if dropping { state.clear() }
            if state.end == nil { state.end = .finished }
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume(returning: nil)
    }

    private static let didNotKeepUp = Failure(.internal, "this watcher did not keep up", hint: "watch again")
}
