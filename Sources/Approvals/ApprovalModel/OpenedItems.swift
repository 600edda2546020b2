package import FoundationEssentials
internal import Synchronization

/// Remembers the results of opening the items that banks list, so that an item whose sealed form did not change is not
/// opened again: two private-key operations for each item are most of a poll's cost.
///
/// It may hold content, so its owner closes it when nothing may be shown any more. For each connection it keeps only
/// the bank's last list. It keeps faults like other results: otherwise the duration of a poll would reveal to the bank
/// which items could not be opened.
package final class OpenedItems<Opened: Sendable>: Sendable {
    package typealias Outcome = Result<Opened, ItemFault>

    private struct State {
        var lists: [ConnectionGUID: [SealedDigest: Outcome]] = [:]
        var isClosed = false
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: how many items it keeps, of all connections together. A list that does not fit is opened each
    ///   time.
    package init(most: Int = 50_000) { self.most = most }

    /// The results for the items in this connection's last list.
    package func outcomes(of connection: ConnectionGUID) -> [SealedDigest: Outcome] {
        state.withLock { $0.lists[connection] ?? [:] }
    }

    /// Replaces the results of this connection's last list.
    package func keep(_ outcomes: [SealedDigest: Outcome], of connection: ConnectionGUID) {
        state.withLock { state in
            state.lists[connection] = nil
            let count = state.lists.values.reduce(outcomes.count) { $0 + $1.count }
            if !state.isClosed, count <= most { state.lists[connection] = outcomes }
        }
    }

    /// Forgets everything, and keeps nothing from now on.
    package func close() {
        state.withLock { state in
            state.lists = [:]
            state.isClosed = true
        }
    }
}

/// SHA-256 over a sealed item as the bank listed it and over the name of the key that opens it.
package struct SealedDigest: Sendable, Hashable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The rest of an authorization while nothing may be shown: that it waits, and until when.
package struct WaitingItem: Sendable, Hashable {
    package var id: BankID
    package var expiresAt: Date?

    package init(id: BankID, expiresAt: Date?) {
        self.id = id
        self.expiresAt = expiresAt
    }

    package init(_ authorization: Authorization) { self.init(id: authorization.id, expiresAt: authorization.expiresAt) }
}

/// The result of one call for authorizations, without any content.
package struct WaitingList: Sendable {
    /// The authorizations that wait for a decision; may include expired ones.
    package var items: [WaitingItem]
    /// The ids of listed items that cannot be opened.
    package var faulty: Set<BankID>
    /// When the whole answer had arrived, before any item was opened.
    package var receivedAt: ContinuousClock.Instant?

    package init(items: [WaitingItem], faults: [ItemFault], receivedAt: ContinuousClock.Instant?) {
        self.items = items
        faulty = Set(faults.compactMap(\.id))
        self.receivedAt = receivedAt
    }
}
