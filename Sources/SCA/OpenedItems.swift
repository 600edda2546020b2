public import FoundationEssentials
internal import Synchronization

/// What became of the items that banks list when they were opened, so that an item whose sealed form did not change is not
/// opened again: two private-key operations each are most of what a poll costs.
///
/// It may hold content, so whoever makes one closes it when nothing may be shown any more. Of each connection it keeps what
/// its bank listed last, and nothing else. A fault is kept like what could be opened: otherwise the time that a poll takes
/// would tell the bank which items could not be.
public final class OpenedItems<Opened: Sendable>: Sendable {
    public typealias Outcome = Result<Opened, ItemFault>

    private struct State {
        var lists: [ConnectionGUID: [SealedDigest: Outcome]] = [:]
        var isClosed = false
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: how many items it keeps, of all connections together. A list that has no room is opened each time.
    public init(most: Int = 50_000) { self.most = most }

    /// What became of the items that this connection's bank listed last.
    public func outcomes(of connection: ConnectionGUID) -> [SealedDigest: Outcome] {
        state.withLock { $0.lists[connection] ?? [:] }
    }

    /// Keeps these in place of what the bank listed before.
    public func keep(_ outcomes: [SealedDigest: Outcome], of connection: ConnectionGUID) {
        state.withLock { state in
            state.lists[connection] = nil
            let count = state.lists.values.reduce(outcomes.count) { $0 + $1.count }
            if !state.isClosed, count <= most { state.lists[connection] = outcomes }
        }
    }

    /// Forgets everything, and keeps nothing from then on.
    public func close() {
        state.withLock { state in
            state.lists = [:]
            state.isClosed = true
        }
    }
}

/// SHA-256 over an item as its bank listed it, sealed, and over the name of the key that opens it.
public struct SealedDigest: Sendable, Hashable {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What is known of an authorization where nothing may be shown: that it waits, and until when.
public struct WaitingItem: Sendable, Hashable {
    public var id: BankID
    public var expiresAt: Date?

    public init(id: BankID, expiresAt: Date?) {
        self.id = id
        self.expiresAt = expiresAt
    }

    public init(_ authorization: Authorization) { self.init(id: authorization.id, expiresAt: authorization.expiresAt) }
}

/// What one call for authorizations brought, without any content.
public struct WaitingList: Sendable {
    /// Those that wait for a decision; also those that have expired meanwhile.
    public var items: [WaitingItem]
    /// The ids of listed items that cannot be opened.
    public var faulty: Set<BankID>
    /// When the whole answer was here, before anything in it was opened.
    public var receivedAt: ContinuousClock.Instant?

    public init(items: [WaitingItem], faults: [ItemFault], receivedAt: ContinuousClock.Instant?) {
        self.items = items
        faulty = Set(faults.compactMap(\.id))
        self.receivedAt = receivedAt
    }
}
