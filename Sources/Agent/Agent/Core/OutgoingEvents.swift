internal import Basics
internal import Synchronization
import AgentWire

/// The events that wait for one watcher. They are kept only here, so wiping this queue wipes them.
final class OutgoingEvents: Sendable {
    private enum End {
        case finished
        case overflowed
    }

    private struct State {
        /// Newest last.
        var incoming: [AgentEvent] = []
        /// Older than `incoming`; newest first.
        var outgoing: [AgentEvent] = []
        var end: End?
        var taker: CheckedContinuation<AgentEvent?, any Error>?

        var count: Int { incoming.count + outgoing.count }

        mutating func take() -> AgentEvent? {
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

        mutating func drop(where mustGo: (AgentEvent) -> Bool) {
            incoming.removeAll(where: mustGo)
            outgoing.removeAll(where: mustGo)
        }

        /// Drops the events that need not or may not be sent any more once this one is sent.
        mutating func makeWay(for event: AgentEvent) {
            if event.isLock { drop { !$0.outlastsLock } }
            guard let slot = event.slot else { return }
            incoming.removeAll { $0.slot == slot }
        }
    }

    private let most: Int
    private let state: Mutex<State>

    /// Begins with `first`, and has room for that many and `room` more.
    init(first: [AgentEvent], room: Int) {
        most = first.count + room
        state = Mutex(State(incoming: first))
    }

    /// Adds an event. Returns false when the queue has ended or is full (`more` events may exceed its room). A full
    /// queue drops everything in it, and `next` then throws.
    func put(_ event: AgentEvent, more: Int = 0) -> Bool {
        let (taker, isOpen) = state.withLock { state -> (CheckedContinuation<AgentEvent?, any Error>?, Bool) in
            guard state.end == nil else { return (nil, false) }
            if let taker = state.taker {
                state.taker = nil
                return (taker, true)
            }
            state.makeWay(for: event)
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

    /// Forgets waiting events that may no longer be sent.
    func drop(where mustGo: (AgentEvent) -> Bool) { state.withLock { $0.drop(where: mustGo) } }

    /// Waits for the next event; nil at the end. Throws a failure of kind `internal` after the queue overflowed. For
    /// one caller at a time; cancelling its task ends the queue.
    func next() async throws -> AgentEvent? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { taker in
                let outcome = state.withLock { state -> Result<AgentEvent?, any Error>? in
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

    /// Ends the queue. Events that wait are still handed out, unless `dropping` is true.
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
