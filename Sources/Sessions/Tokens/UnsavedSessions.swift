import Synchronization

/// The sessions whose newest tokens are not on the disk, as far as this process knows.
public final class UnsavedSessions: Sendable {
    private let ids = Mutex<Set<SessionID>>([])

    public init() {}

    func contains(_ session: SessionID) -> Bool { ids.withLock { $0.contains(session) } }

    func insert(_ session: SessionID) { ids.withLock { _ = $0.insert(session) } }

    /// Returns whether it was one of them.
    func remove(_ session: SessionID) -> Bool { ids.withLock { $0.remove(session) != nil } }
}
