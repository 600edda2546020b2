import Synchronization

/// The last calls exactly as they were received, for tests that check the bytes.
final class RequestLog: Sendable {
    struct Entry: Sendable {
        var number: Int
        var at: Double
        var operation: String
        var bank: String
        var call: WireCall
        /// `nil` when the caller got no answer.
        var status: Int?
    }

    private struct State {
        var entries: [Entry] = []
        var count = 0
    }

    private let state = Mutex(State())
    private let capacity = 500

    var entries: [Entry] { state.withLock { $0.entries } }

    func clear() { state.withLock { $0.entries.removeAll() } }

    /// Logs a call on arrival. Returns its number, for ``answered(_:status:)``.
    func arrived(_ call: WireCall, operation: String, bank: String, at time: Double) -> Int {
        state.withLock { state in
            state.count += 1
            let entry = Entry(number: state.count, at: time, operation: operation, bank: bank, call: call, status: nil)
            state.entries.append(entry)
            if state.entries.count > capacity { state.entries.removeFirst(state.entries.count - capacity) }
            return state.count
        }
    }

    func answered(_ number: Int, status: Int) {
        state.withLock { state in
            guard let index = state.entries.lastIndex(where: { $0.number == number }) else { return }
            state.entries[index].status = status
        }
    }
}
