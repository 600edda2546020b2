import Synchronization

/// Counts operations under way, and waits until none is. Uses no actor, since every token passes here.
final class CountUnderWay: Sendable {
    private struct State {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isZero: Bool { state.withLock { $0.count == 0 } }

    /// Whether somebody waits for the count to reach zero.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    func begin() { state.withLock { $0.count += 1 } }

    /// Call it once for each `begin`.
    func end() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func reachesZero() async {
        await withCheckedContinuation { continuation in
            let isZero = state.withLock { state in
                guard state.count > 0 else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isZero { continuation.resume() }
        }
    }
}
