import Basics
import CPlatform
import Glibc

/// An open descriptor, closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

/// A unix stream socket (unix(7)).
enum UnixSocket {
    static func make() throws -> Descriptor {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Failure(.internal, "no socket can be had") }
        return Descriptor(number)
    }

    /// bind(2) or connect(2) with the address of a path: 0, or -1 with errno.
    static func use(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The last byte stays 0 and ends the path.
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // The address is lent for the call, with its own size; the socket calls read it by its family.
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Whether the other end is a process of this user.
    static func isOwn(_ connection: Descriptor) -> Bool {
        var pid = pid_t()
        var uid = uid_t()
        var gid = gid_t()
        // Three locals are lent for the call.
        return countersign_peer_credentials(connection.number, &pid, &uid, &gid) == 0 && uid == geteuid()
    }

    /// Limits how long a read, write or connect of this socket may take.
    static func limit(_ connection: Descriptor, reading: Int, writing: Int) {
        var (reading, writing) = (timeval(tv_sec: reading, tv_usec: 0), timeval(tv_sec: writing, tv_usec: 0))
        let size = socklen_t(MemoryLayout<timeval>.size)
        // Two locals are lent for the calls, with their size.
        setsockopt(connection.number, SOL_SOCKET, SO_RCVTIMEO, &reading, size)
        setsockopt(connection.number, SOL_SOCKET, SO_SNDTIMEO, &writing, size)
    }

    /// Sends all bytes. Returns whether that succeeded.
    static func send(_ bytes: [UInt8], to connection: Descriptor) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The pointer is used only inside the call, with the length of the very buffer.
            let count = rest.withUnsafeBytes {
                Glibc.send(connection.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Receives until the other end stops sending. Nil when it sends more than `limit` bytes, or breaks off.
    static func receive(from connection: Descriptor, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            // The array is lent for the call, with its own count.
            let count = recv(connection.number, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }
}
