public import FoundationEssentials
public import SCA

/// What happens while someone watches, in the order in which it was noticed.
public enum WatchEvent: Sendable {
    case added(Inbox.Item)
    /// The same id with other content.
    case changed(Inbox.Item)
    /// No longer waiting: decided, withdrawn or expired. Its status is the bank's last word, where the bank told one.
    case removed(Inbox.Item)
    /// Its connection gets this name: it waits on under another reference, which `renamed` tells. All that are given up come
    /// before the first new one, since two connections may have swapped their names.
    case renaming(Inbox.Item, to: ConnectionName)
    case renamed(Inbox.Item)
    /// Decided on this computer, by whichever process; `removed` follows.
    case decided(Inbox.Item, DecisionEntry)
    /// A bank began to fail, or to fail in another way, or no longer knows the connection, or one of its items cannot be opened, or
    /// it confirmed what was denied (`OverturnedDenial`).
    case failure(Connection, any Error)
    /// A bank that failed answers again.
    case recovered(Connection)
    /// What is known of each bank that is asked, as often as it was asked for (`Watcher.tellHearings`).
    case heard([Hearing])

    /// Whether something no longer waits.
    var isRemoval: Bool { if case .removed = self { true } else { false } }

    /// Whether it is a reason to ask again soon. What cannot be opened is none, nor that an item can no longer be opened: else the
    /// bank, or who stands in its place, would learn by our next question what became of what it sent. `faulty`: the listed
    /// items that cannot be opened.
    func isNews(besides faulty: Set<BankID>) -> Bool {
        switch self {
        case .failure: false
        case .removed(let item): !faulty.contains(item.authorization.id)
        default: true
        }
    }
}

/// Since when what a bank says is known, and whether it says anything.
public struct Hearing: Sendable {
    public var connection: Connection
    /// What it answered is at least as new; nil before its first answer.
    public var at: Date?
    /// How it fails; nil while it answers.
    public var failure: (any Error)?
}
