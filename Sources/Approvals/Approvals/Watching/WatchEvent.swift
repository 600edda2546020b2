package import FoundationEssentials
package import ApprovalModel

/// A change that a watcher learns of, in the order in which it was noticed.
package enum WatchEvent: Sendable {
    case added(Inbox.Item)
    /// The item has the same id, but other content.
    case changed(Inbox.Item)
    /// The item no longer waits: decided, withdrawn or expired. Its status is the bank's last word, if the bank sent
    /// one.
    case removed(Inbox.Item)
    /// The connection gets this name, so the item gets another reference, which `renamed` carries. All old references
    /// are given up before the first new one is reported, since two connections may have swapped their names.
    case renaming(Inbox.Item, to: ConnectionName)
    case renamed(Inbox.Item)
    /// The item was decided on this computer, by any process; `removed` follows.
    case decided(Inbox.Item, DecisionEntry)
    /// A bank began to fail, or fails in another way, or no longer knows the connection; or one of its items cannot be
    /// opened; or it confirmed a denied request (`OverturnedDenial`).
    case failure(Connection, any Error)
    /// A bank that failed answers again.
    case recovered(Connection)
    /// How recent our knowledge of each polled bank is (`Watcher.tellContacts`).
    case heard([BankContact])

    /// Whether an item was removed.
    var isRemoval: Bool { if case .removed = self { true } else { false } }

    /// Whether it is a reason to ask the bank again soon. Items that cannot be opened are not, even if they could be
    /// opened before: otherwise the bank, or an impostor, would learn from our next call whether its item was opened.
    /// `faulty` are the listed items that cannot be opened.
    func isNews(besides faulty: Set<BankID>) -> Bool {
        switch self {
        case .failure: false
        case .removed(let item): !faulty.contains(item.authorization.id)
        case .added, .changed, .renaming, .renamed, .decided, .recovered, .heard: true
        }
    }
}

/// How recent our knowledge of one bank is, and whether the bank answers.
package struct BankContact: Sendable {
    package var connection: Connection
    /// Our knowledge is at least as recent as this; nil before the bank's first answer.
    package var at: Date?
    /// How the bank fails; nil while it answers.
    package var failure: (any Error)?
}
