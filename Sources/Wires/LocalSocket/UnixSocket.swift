internal import CPlatform
package import Glibc
internal import Synchronization

/// The descriptor of a unix socket (unix(7)), close-on-exec. Closes it at the end of its life.
package final class UnixSocket: Sendable {
    package let number: Int32
    private let isOwned = Atomic(true)

    /// Takes over a descriptor, which this object closes.
    package init(owning number: Int32) { self.number = number }

    /// A new socket. Nil when the system gives none; errno says why.
    package convenience init?(_ type: __socket_type = SOCK_STREAM, isBlocking: Bool = true) {
        let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        let opened = socket(AF_UNIX, Int32(type.rawValue | flags), 0)
        guard opened >= 0 else { return nil }
        self.init(owning: opened)
    }

    deinit { if isOwned.load(ordering: .relaxed) { close(number) } }

    /// Hands over the descriptor, which the caller must close.
    func release() -> Int32 {
        isOwned.store(false, ordering: .relaxed)
        return number
    }

    /// The process at the other end, or the process that made a passed socket. Nil when it is not known; errno says
    /// why.
    package var peer: (pid: Int32, uid: UInt32)? {
        var (pid, uid, gid): (pid_t, uid_t, gid_t) = (0, 0, 0)
        // Writes to the three variables during the call.
        guard countersign_peer_credentials(number, &pid, &uid, &gid) == 0 else { return nil }
        return (pid, uid)
    }

    /// Limits each blocking write, and the wait for a place in a listener's queue (socket(7)).
    func limitWriting(toSeconds seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        // The struct lives through the call, and its own size is given.
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
}
