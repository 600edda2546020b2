import Synchronization

/// Records what happened, in order, and lets tests wait for more.
final class Recorded<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var all: [Entry] { state.withLock { $0.entries } }
    var count: Int { state.withLock { $0.entries.count } }

    func add(_ entry: Entry) {
        let waiting = state.withLock { state in
            state.entries.append(entry)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until `look` finds something among the entries.
    func until<Found>(_ look: ([Entry]) -> Found?) async -> Found {
        while true {
            let seen = all
            if let found = look(seen) { return found }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard state.entries.count == seen.count else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Waits until there are this many entries; returns the last of them.
    @discardableResult
    func until(count: Int) async -> Entry { await until { $0.count >= count ? $0[count - 1] : nil } }
}
