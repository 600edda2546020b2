import Synchronization

/// How long calls may take: all the same time, so one timer serves all that run. A timer for each would stay with the system
/// for the whole time, however soon its call is done.
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

    /// Waits for `end` of what `cancel` cuts short. Throws `Overdue` when the time is over, what `end` throws when that, or this
    /// task, ends before.
    func during<R>(_ cancel: @escaping @Sendable () -> Void, _ end: () async throws -> R) async throws -> R {
        let number = started(cancel)
        let result: Result<R, any Error>
        do {
            result = .success(try await withTaskCancellationHandler(operation: end, onCancel: cancel))
        } catch {
            result = .failure(error)
        }
        // What was cut short may look like what ended early.
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

    /// Whether it was overdue.
    private func ended(_ number: Int) -> Bool {
        state.withLock { $0.running.removeValue(forKey: number)?.isOverdue ?? false }
    }

    /// Cancels in time, until nothing runs any more.
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

    /// When the next one is overdue; nil when none will be, and then this is not watched any more.
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
