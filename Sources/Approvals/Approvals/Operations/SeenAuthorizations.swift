import Basics
import ApprovalModel
import Synchronization

/// The authorizations that were shown, so that a decision on one of them need not fetch it again for its first check.
package final class SeenAuthorizations: Sendable {
    private struct Key: Hashable {
        var connection: ConnectionGUID
        var id: BankID
    }

    private let items = Mutex<[Key: Authorization]>([:])

    package init() {}

    func note(_ items: [Inbox.Item]) {
        self.items.withLock { known in
            for item in items { known[Self.key(item)] = item.authorization }
        }
    }

    /// Replaces the noted items of these connections by the items that they list now.
    func replace(with items: [Inbox.Item], of connections: [ConnectionGUID]) {
        let answered = Set(connections)
        self.items.withLock { known in
            known = known.filter { !answered.contains($0.key.connection) }
            for item in items { known[Self.key(item)] = item.authorization }
        }
    }

    package func note(_ event: WatchEvent) {
        switch event {
        case .added(let item), .changed(let item): note([item])
        case .removed(let item): items.withLock { $0[Self.key(item)] = nil }
        case .renaming, .renamed, .decided, .failure, .recovered, .heard: break
        }
    }

    /// The content that was last shown under this id.
    func authorization(_ id: BankID, of connection: ConnectionGUID) -> Authorization? {
        items.withLock { $0[Key(connection: connection, id: id)] }
    }

    /// Forgets all content.
    package func wipe() { items.withLock { $0 = [:] } }

    private static func key(_ item: Inbox.Item) -> Key {
        Key(connection: item.connection.guid, id: item.authorization.id)
    }
}
