internal import Glibc
internal import Synchronization

/// One connection to a unix socket, in blocking calls with deadlines. Closes the socket at the end of its life.
package final class UnixStream: Sendable {
    /// The process at the other end; for a socket passed by a service manager, the process that made it.
    package let peer: (pid: Int32, uid: UInt32)
    private let socket: UnixSocket
    private var descriptor: Int32 { socket.number }
    private let cancelled = Atomic(false)

    /// Nil when nobody listens at the path. Throws `timedOut` when the listener accepts nobody for ten seconds, else
    /// `unusable`, and `tooLong`.
    package init?(connectingTo path: String) throws(SocketError) {
        guard UnixAddress.fits(path) else { throw .tooLong("the socket's path is too long: \(path)") }
        guard let opened = UnixSocket() else { throw .system("cannot create a socket", errno) }
        // Limits the wait for a place in the listener's queue.
        opened.limitWriting(toSeconds: 10)
        // The address lives through the call.
        while UnixAddress.with(path, { connect(opened.number, $0, $1) }) != 0 {
            let number = errno
            switch number {
            case EINTR: continue
            case ENOENT, ECONNREFUSED, ENOTDIR: return nil
            case EAGAIN: throw .timedOut
            default: throw .system(path, number)
            }
        }
        guard let peer = opened.peer else { throw .system(path, errno) }
        self.peer = peer
        socket = opened
    }

    /// A connection that was accepted. Nil when the kernel does not name the process that made it.
    package init?(accepted: UnixSocket) {
        guard let peer = accepted.peer else { return nil }
        self.peer = peer
        socket = accepted
    }

    /// Ends the connection for both sides, from any thread: calls in progress and later ones throw `cancelled`.
    func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        // The descriptor is ours while self lives. Closing it here would let another thread meet a new file under the same
        // number.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether the connection is open and there is nothing to read: neither its end nor bytes that were not asked for.
    var isUsable: Bool {
        var byte: UInt8 = 0
        // Looks at one byte at most, without taking it.
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Returns false when the other end has closed; there may still be something to read then. Throws `timedOut`,
    /// `cancelled`.
    func send(_ bytes: UnsafeRawBufferPointer, by deadline: ContinuousClock.Instant) throws(SocketError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            // Reads within the buffer, which the caller lends us for this call.
            let count = Glibc.send(
                descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT), by: deadline)
            } else if errno != EINTR {
                if cancelled.load(ordering: .sequentiallyConsistent) { throw .cancelled }
                return false
            }
        }
        return true
    }

    /// Ends the sending on this side, so that the other side can read to the end.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads to the end; nil when that is more than `limit` bytes. Throws as `receive` does.
    package func receiveAll(limit: Int, by deadline: ContinuousClock.Instant) throws(SocketError) -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            let bytes = try receive(by: deadline)
            if bytes.isEmpty { return all }
            all += bytes
            guard all.count <= limit else { return nil }
        }
    }

    /// Reads some bytes; none at the end. Throws `timedOut`, `cancelled`, `ended` when the connection broke.
    func receive(by deadline: ContinuousClock.Instant) throws(SocketError) -> [UInt8] {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 16384) { room, filled in
                // At most the room's own length is written.
                count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
                filled = max(count, 0)
            }
            if count > 0 { return bytes }
            let number = errno
            if cancelled.load(ordering: .sequentiallyConsistent) { throw .cancelled }
            if count == 0 { return [] }
            switch number {
            case EAGAIN: try wait(for: Int16(POLLIN), by: deadline)
            case EINTR: continue
            default: throw .ended
            }
        }
    }

    private func wait(for events: Int16, by deadline: ContinuousClock.Instant) throws(SocketError) {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timedOut }
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        // One entry; an interruption or a timeout is seen at the next try.
        _ = poll(&entry, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
    }
}
