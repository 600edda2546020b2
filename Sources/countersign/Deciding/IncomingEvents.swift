import Client
import Approvals
import Synchronization

/// Hands events from the poller to the view, and wakes the view.
final class IncomingEvents: Sendable {
    private let keyWait: KeyWait
    private let waiting = Mutex<[Result<Event, any Error>]>([])
    private let alarm = Mutex<(@Sendable () -> Void)?>(nil)
    private let listener = Mutex<(@Sendable (Event) -> Void)?>(nil)

    init(_ keyWait: KeyWait) {
        self.keyWait = keyWait
    }

    func post(_ event: Result<Event, any Error>) {
        waiting.withLock { $0.append(event) }
        keyWait.wake()
        if Self.isEnd(event) { alarm.withLock { $0?() } }
        if case .success(let event) = event { listener.withLock { $0?(event) } }
    }

    /// Calls `act` with each event that comes, and at once with those that wait already; nil stops that. `drain` still returns
    /// these events.
    func whenTold(_ act: (@Sendable (Event) -> Void)?) {
        listener.withLock { $0 = act }
        guard let act else { return }
        for case .success(let event) in waiting.withLock({ $0 }) { act(event) }
    }

    /// Calls `act` when a lock or the end of the source comes and nobody drains the events, or at once if such an event waits
    /// already; nil stops that.
    func whenLocked(_ act: (@Sendable () -> Void)?) {
        alarm.withLock { $0 = act }
        if let act, waiting.withLock({ $0.contains(where: Self.isEnd) }) { act() }
    }

    private static func isEnd(_ event: Result<Event, any Error>) -> Bool {
        switch event {
        case .success(let event): event.name == .locked
        case .failure: true
        }
    }

    /// The events since the last call. Throws if the source of events has failed.
    func drain() throws -> [Event] {
        try waiting.withLock { waiting in
            defer { waiting = [] }
            return try waiting.map { try $0.get() }
        }
    }
}

extension Carrier where Host == any ApprovalHost {
    /// Collects events while `body` runs, and stops before it returns.
    func watching<R>(_ keyWait: KeyWait, _ body: (IncomingEvents) async throws -> R) async throws -> R {
        let queue = IncomingEvents(keyWait)
        let events = try await events()
        let reader = Task {
            do {
                for try await event in events { queue.post(.success(event)) }
            } catch {
                queue.post(.failure(error))
            }
        }
        return try await reader.beside { try await body(queue) }
    }
}

extension Task where Success == Void, Failure == Never {
    /// Runs `body`, then cancels this task and waits for its end.
    func beside<R>(_ body: () async throws -> R) async throws -> R {
        do {
            let result = try await body()
            cancel()
            await value
            return result
        } catch {
            cancel()
            await value
            throw error
        }
    }
}
