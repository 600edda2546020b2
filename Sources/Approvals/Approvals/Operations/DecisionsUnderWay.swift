internal import Synchronization

/// The decisions that are under way here, and which of them to stop waiting for.
package final class DecisionsUnderWay: Sendable {
    private struct State {
        var byRef: [String: Int] = [:]
        /// References whose final answer nobody waits for any more.
        var givenUp: Set<String> = []
        var isDraining = false
    }

    private let state = Mutex(State())

    package init() {}

    package func during<R: Sendable>(
        _ request: DecisionRequest, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> R
    ) async rethrows -> R {
        state.withLock { state in
            state.byRef[request.ref, default: 0] += 1
            state.givenUp.remove(request.ref)
        }
        defer {
            state.withLock { state in
                Self.decrement(&state.byRef, request.ref)
                if state.byRef[request.ref] == nil { state.givenUp.remove(request.ref) }
            }
        }
        return try await body()
    }

    /// Stops waiting for the bank's final answer on this reference. Returns false if no decision on it is under way.
    package func giveUp(_ ref: String) -> Bool {
        state.withLock { state in
            guard state.byRef[ref] != nil else { return false }
            state.givenUp.insert(ref)
            return true
        }
    }

    package func isGivenUp(_ ref: String) -> Bool { state.withLock { $0.isDraining || $0.givenUp.contains(ref) } }

    private static func decrement<Key: Hashable>(_ counts: inout [Key: Int], _ key: Key) {
        let left = (counts[key] ?? 1) - 1
        counts[key] = left > 0 ? left : nil
    }

    /// The agent ends: stops waiting for all final answers.
    package func drain() { state.withLock { $0.isDraining = true } }
}
