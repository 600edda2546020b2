import FoundationEssentials
import ApprovalModel
import Synchronization

/// Facts about servers, learnt while this process runs; no content.
final class PushMemory: Sendable {
    private struct Refusals {
        var count = 0
        var since: Date
    }

    private struct State {
        /// Seconds from our clock to the server's.
        var offsets: [ConnectionGUID: Int] = [:]
        var refusals: [ConnectionGUID: Refusals] = [:]
        /// The items that were answered, as long as the server still lists them.
        var answered: [ConnectionGUID: Set<BankID>] = [:]
        /// When each item was first seen, as long as the server lists it.
        var seen: [ConnectionGUID: [BankID: Date]] = [:]
    }

    private let state = Mutex(State())

    func offset(of connection: ConnectionGUID) -> Int { state.withLock { $0.offsets[connection] ?? 0 } }

    func learn(_ seconds: Int, of connection: ConnectionGUID) { state.withLock { $0.offsets[connection] = seconds } }

    /// The server accepted an answer to this item: it is not shown again, even if the server still lists it.
    func answered(_ id: BankID, of connection: ConnectionGUID) {
        state.withLock { _ = $0.answered[connection, default: []].insert(id) }
    }

    /// Which of the listed items were answered. Forgets all others.
    func answered(among listed: Set<BankID>, of connection: ConnectionGUID) -> Set<BankID> {
        state.withLock { state in
            let kept = state.answered[connection]?.intersection(listed) ?? []
            state.answered[connection] = kept.isEmpty ? nil : kept
            return kept
        }
    }

    /// When each of the listed items was first seen. Forgets all others.
    func firstSeen(_ listed: Set<BankID>, of connection: ConnectionGUID, at now: Date) -> [BankID: Date] {
        state.withLock { state in
            let known = state.seen[connection] ?? [:]
            let seen = Dictionary(uniqueKeysWithValues: listed.map { ($0, known[$0] ?? now) })
            state.seen[connection] = seen.isEmpty ? nil : seen
            return seen
        }
    }

    /// A poll succeeded.
    func accepted(_ connection: ConnectionGUID) { state.withLock { $0.refusals[connection] = nil } }

    /// A poll was refused without a reason. Returns for how many seconds not to poll: nil for no extra pause; 10
    /// minutes from the fifth refusal in a row, an hour after a day of refusals (privacyidea-push section 6.4).
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
