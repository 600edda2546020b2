import Agent
import Synchronization

/// Hands events from whoever polls to whoever shows them, and wakes the latter.
final class EventQueue: Sendable {
    private let waking: Waking
    private let waiting = Mutex<[Result<Event, any Error>]>([])
    private let alarm = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ waking: Waking) {
        self.waking = waking
    }

    func post(_ event: Result<Event, any Error>) {
        waiting.withLock { $0.append(event) }
        waking.wake()
        if case .success(let event) = event, event.event == .locked { alarm.withLock { $0?() } }
    }

    /// Calls `act` when a lock comes while nobody looks at the events; nil ends that.
    func whenLocked(_ act: (@Sendable () -> Void)?) { alarm.withLock { $0 = act } }

    /// What came since the last call. Throws when the source of events has failed.
    func drain() throws -> [Event] {
        try waiting.withLock { waiting in
            defer { waiting = [] }
            return try waiting.map { try $0.get() }
        }
    }
}

extension Operations {
    /// Takes events in while `body` runs; nothing of it is left afterwards.
    func watching<R>(_ waking: Waking, _ body: (EventQueue) async throws -> R) async throws -> R {
        let queue = EventQueue(waking)
        let events = try await events()
        let reader = Task {
            do {
                for try await event in events { queue.post(.success(event)) }
            } catch {
                queue.post(.failure(error))
            }
        }
        do {
            let result = try await body(queue)
            reader.cancel()
            await reader.value
            return result
        } catch {
            reader.cancel()
            await reader.value
            throw error
        }
    }
}
