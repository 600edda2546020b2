import FoundationEssentials
import SCA
import Synchronization

/// What was learnt of servers while this process runs; no content.
final class PushMemory: Sendable {
    private struct Refusals {
        var count = 0
        var since: Date
    }

    private struct State {
        /// Seconds from our clock to the server's.
        var offsets: [ConnectionGUID: Int] = [:]
        var refusals: [ConnectionGUID: Refusals] = [:]
        /// What was answered, as long as the server lists it.
        var answered: [ConnectionGUID: Set<BankID>] = [:]
    }

    private let state = Mutex(State())

    func offset(of connection: ConnectionGUID) -> Int { state.withLock { $0.offsets[connection] ?? 0 } }

    func learn(_ seconds: Int, of connection: ConnectionGUID) { state.withLock { $0.offsets[connection] = seconds } }

    /// The server took an answer to this: whatever it lists later, it is not asked about again.
    func answered(_ id: BankID, of connection: ConnectionGUID) {
        state.withLock { _ = $0.answered[connection, default: []].insert(id) }
    }

    /// Which of these were answered; the others are forgotten.
    func answered(among listed: Set<BankID>, of connection: ConnectionGUID) -> Set<BankID> {
        state.withLock { state in
            let kept = state.answered[connection]?.intersection(listed) ?? []
            state.answered[connection] = kept.isEmpty ? nil : kept
            return kept
        }
    }

    /// A question was answered.
    func accepted(_ connection: ConnectionGUID) { state.withLock { $0.refusals[connection] = nil } }

    /// A question was not accepted, and nothing said why. Returns for how many seconds not to ask by itself: nil as often as before,
    /// from the fifth time in a row on 10 minutes, after a day an hour (privacyidea-push section 6.4).
    func refused(_ connection: ConnectionGUID, at now: Date) -> Int? {
        state.withLock { state in
            var refusals = state.refusals[connection] ?? Refusals(since: now)
            refusals.count += 1
            state.refusals[connection] = refusals
            guard refusals.count >= 5 else { return nil }
            return now.timeIntervalSince(refusals.since) > 86_400 ? 3600 : 600
        }
    }
}
