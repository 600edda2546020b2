import SessionModel
internal import Synchronization

/// Lets a login store its session until the permit is withdrawn: if a lock comes meanwhile, nothing of the login may stay.
package final class LoginPermit: Sendable {
    private let isHeld = Mutex(true)

    package init() {}

    /// When this returns, the login stores nothing any more; it may have stored its session before.
    package func withdraw() { isHeld.withLock { $0 = false } }

    /// Throws `SessionError` `notAtHand` if the permit was withdrawn.
    func use<R: Sendable>(_ body: () throws -> R) throws -> R {
        try isHeld.withLock { isHeld in
            guard isHeld else { throw SessionError.notAtHand }
            return try body()
        }
    }
}
