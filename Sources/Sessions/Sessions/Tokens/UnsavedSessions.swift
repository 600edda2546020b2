import SessionModel
import Synchronization

/// The sessions whose newest tokens are not on the disk, as far as this process knows.
package final class UnsavedSessions: Sendable {
    private let ids = Mutex<Set<SessionID>>([])
    /// The renewal marks that this process wrote last.
    private let marks = Mutex<[SessionID: RenewalMark]>([:])

    package init() {}

    var isAny: Bool { ids.withLock { !$0.isEmpty } }

    func contains(_ session: SessionID) -> Bool { ids.withLock { $0.contains(session) } }

    func insert(_ session: SessionID) { ids.withLock { _ = $0.insert(session) } }

    func wrote(_ mark: RenewalMark, of session: SessionID) { marks.withLock { $0[session] = mark } }

    /// Whether the tokens of the renewal with this mark may be in the rescue store: only where another process made it, or this one could
    /// not write them, and where the issuer did not refuse.
    func mayBeRescued(_ mark: RenewalMark, of session: SessionID) -> Bool {
        guard mark.isAnswered != true else { return false }
        return contains(session) || marks.withLock { $0[session] } != mark
    }

    /// Returns whether it was one of them.
    func remove(_ session: SessionID) -> Bool { ids.withLock { $0.remove(session) != nil } }
}
