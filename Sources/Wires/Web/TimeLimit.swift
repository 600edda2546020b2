import Synchronization

/// Limits how long calls take. The limit is the same for all calls, so one timer serves all that are running. A timer
/// for each call would occupy the system for the whole time, even when its call is finished.
final class TimeLimit: Sendable {
    private struct Running {
        let end: ContinuousClock.Instant
        let cancel: @Sendable () -> Void
        var isOverdue = false
    }

    private struct State {
        var last = 0
        var running: [Int: Running] = [:]
        var isTimed = false
    }

    private let limit: Duration
    private let state = Mutex(State())

    init(seconds: Double) { limit = .seconds(seconds) }

    /// Waits for `end`. When the time is over, calls `cancel`, which must make `end` return soon, and throws `Overdue`.
    /// Otherwise rethrows the errors of `end`.
    func during<R>(_ cancel: @escaping @Sendable () -> Void, _ end: () async throws -> R) async throws -> R {
        let number = started(cancel)
        let result: Result<R, any Error>
        do {
            result = .success(try await withTaskCancellationHandler(operation: end, onCancel: cancel))
        } catch {
            result = .failure(error)
        }
        // A call that was cancelled may look as if it ended by itself.
        if ended(number) { throw Overdue() }
        return try result.get()
    }

    private func started(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (number, wasTimed) = state.withLock { state in
            state.last += 1
            state.running[state.last] = Running(end: .now + limit, cancel: cancel)
            defer { state.isTimed = true }
            return (state.last, state.isTimed)
        }
        if !wasTimed { Task { await watch() } }
        return number
    }

    /// Forgets a call, and says whether it took too long.
    private func ended(_ number: Int) -> Bool {
        state.withLock { $0.running.removeValue(forKey: number)?.isOverdue ?? false }
    }

    /// Cancels each call when its time is over. Ends when no call is running.
    private func watch() async {
        while let end = next() {
            try? await Task.sleep(until: end, clock: .continuous)
            let overdue = state.withLock { state in
                let numbers = state.running.filter { $0.value.end <= .now }.keys
                for number in numbers { state.running[number]?.isOverdue = true }
                return numbers.compactMap { state.running[$0]?.cancel }
            }
            for cancel in overdue { cancel() }
        }
    }

    /// When the next call will be overdue. Nil when no call is running; `watch` must end then.
    private func next() -> ContinuousClock.Instant? {
        state.withLock { state in
            let end = state.running.values.lazy.filter { !$0.isOverdue }.map(\.end).min()
            state.isTimed = end != nil
            return end
        }
    }
}

/// A call took too long.
struct Overdue: Error {}
