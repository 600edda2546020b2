import Authenticator
import Synchronization

/// Hands events from whoever polls to whoever shows them, and wakes the latter.
final class EventQueue: Sendable {
    private let waking: Waking
    private let waiting = Mutex<[Result<WatchEvent, any Error>]>([])

    init(_ waking: Waking) {
        self.waking = waking
    }

    func post(_ event: Result<WatchEvent, any Error>) {
        waiting.withLock { $0.append(event) }
        waking.wake()
    }

    /// What came since the last call. Throws when the source of events has failed.
    func drain() throws -> [WatchEvent] {
        try waiting.withLock { waiting in
            defer { waiting = [] }
            return try waiting.map { try $0.get() }
        }
    }
}

extension Session {
    /// Polls all banks while `body` runs; nothing of it is left afterwards.
    func watching<R>(_ waking: Waking, _ body: (EventQueue) async throws -> R) async throws -> R {
        let queue = EventQueue(waking)
        let watcher = Task {
            do {
                try await Watcher(self).run { queue.post(.success($0)) }
            } catch {
                queue.post(.failure(error))
            }
        }
        do {
            let result = try await body(queue)
            watcher.cancel()
            await watcher.value
            return result
        } catch {
            watcher.cancel()
            await watcher.value
            throw error
        }
    }
}
