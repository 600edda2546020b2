public import SCA

/// What happens while someone watches, in the order in which it was noticed.
public enum WatchEvent: Sendable {
    case added(Inbox.Item)
    /// The same id with other content.
    case changed(Inbox.Item)
    /// No longer waiting: decided, withdrawn or expired. Its status is the bank's last word, where the bank told one.
    case removed(Inbox.Item)
    /// Decided on this computer, by whichever process; `removed` follows.
    case decided(Inbox.Item, DecisionEntry)
    /// A bank began to fail, or to fail in another way, or one of its items cannot be opened.
    case failure(Connection, any Error)
    /// A bank that failed answers again.
    case recovered(Connection)
}
