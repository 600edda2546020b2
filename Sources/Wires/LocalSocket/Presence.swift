internal import Synchronization

/// Knows whether the other end of a connection is still there, and runs code when it leaves.
package final class Presence: Sendable {
    private struct State {
        var hasLeft = false
        var next = 0
        var waiting: [Int: @Sendable () -> Void] = [:]
    }
    private let state = Mutex(State())
    private let close: @Sendable () -> Void

    /// `close` closes the connection.
    package init(close: @escaping @Sendable () -> Void = {}) { self.close = close }

    /// Closes the connection. `leave` follows when it is closed.
    func end() { close() }

    package var hasLeft: Bool { state.withLock { $0.hasLeft } }

    /// Whether code waits for the other end to leave: then a silent connection is still in use.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Notes, once and for all, that the other end has left.
    package func leave() {
        let waiting = state.withLock { state in
            state.hasLeft = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for act in waiting { act() }
    }

    /// Runs `act` once when the other end leaves, or at once if it has left. Pass the result to `forget` to take that back.
    package func onDeparture(_ act: @escaping @Sendable () -> Void) -> Int {
        let (number, isLate) = state.withLock { state in
            state.next += 1
            if !state.hasLeft { state.waiting[state.next] = act }
            return (state.next, state.hasLeft)
        }
        if isLate { act() }
        return number
    }

    /// Takes back the `onDeparture` that returned this number.
    package func forget(_ number: Int) {
        state.withLock { $0.waiting[number] = nil }
    }

    /// Runs `operation`. Cancels it when the other end leaves, or when the calling task is cancelled.
    package func whilePresent<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R {
        let task = Task { try await operation() }
        let number = onDeparture { task.cancel() }
        defer { forget(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
