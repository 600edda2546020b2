internal import Glibc
internal import NIOCore

/// Finds the user whose program made a connection within this computer, in the kernel's tables of sockets (`proc_pid_net(5)`).
///
/// A program that reaches an address of 127.0.0.0/8 or `[::1]` has a socket in the same network namespace, and so an entry there.
/// The entry names the user as this process's user namespace does, so a browser in another user namespace is recognized, too.
struct ConnectionOwner: Sendable {
    /// Where the tables are.
    var root = "/proc/self/net"
    var user = geteuid()
    /// Whether the kernel may not know the other end: Windows connects to programs in its Linux subsystem from outside.
    var mayBeElsewhere = isWindows()

    /// Whether the client is a program of this user, or of root, which forwards connections (containers, the Linux subsystem of
    /// Windows) and could act as any user anyway. If the tables are missing or cannot be read, returns true for every program.
    ///
    /// Returns false for a program that has closed its socket, since the kernel then no longer names the owner. Blocks.
    func isOurs(client: SocketAddress, server: SocketAddress) -> Bool {
        let entries = zip(Self.texts(client), Self.texts(server)).map { ": \($0) \($1) " }
        // Tables are read in pieces, and an entry may be missed when others go meanwhile.
        for _ in 1...2 {
            var isTold = false
            for name in ["tcp", "tcp6"] {
                switch SocketTable(path: "\(root)/\(name)").find(entries) {
                case .held(let owner): return owner == user || owner == 0
                case .left: return false
                case .missing: isTold = true
                case .untold: break
                }
            }
            guard isTold else { return true }
        }
        return mayBeElsewhere
    }

    /// An address and port as they are in the tables: in hexadecimal, an address as numbers of 32 bits in this computer's byte order.
    private static func texts(_ address: SocketAddress) -> [String] {
        let port = hexadecimal(UInt16(truncatingIfNeeded: address.port ?? 0), 4)
        switch address {
        case .v4(let found):
            let number = hexadecimal(found.address.sin_addr.s_addr, 8)
            // A client may have come by a socket for IPv6.
            let mapped = "0000000000000000" + hexadecimal(UInt32(0xFFFF).bigEndian, 8) + number
            return [number, mapped].map { "\($0):\(port)" }
        case .v6(let found):
            // Reads the 16 bytes of the address during the call.
            let numbers = withUnsafeBytes(of: found.address.sin6_addr) { Array($0.bindMemory(to: UInt32.self)) }
            return [numbers.map { hexadecimal($0, 8) }.joined() + ":\(port)"]
        case .unixDomainSocket: return []
        }
    }

    private static func hexadecimal(_ number: some UnsignedInteger, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func isWindows() -> Bool {
        var system = utsname()
        // Fills the struct during the call.
        guard uname(&system) == 0 else { return false }
        let release = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return release.lowercased().contains("microsoft")
    }
}

/// A table of the kernel's TCP sockets, one line for each.
private struct SocketTable {
    enum Finding {
        /// A process holds the socket; `by` is its user.
        case held(by: UInt32)
        /// No process holds it any more.
        case left
        case missing
        /// This table does not exist here, or this process may not read it.
        case untold
    }

    let path: String

    /// Looks for the line that has one of these texts.
    func find(_ entries: [String]) -> Finding {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // Others can cause any other failure, by using up descriptors or memory.
            return [ENOENT, ENOTDIR, EACCES, EPERM].contains(errno) ? .untold : .missing
        }
        defer { close(descriptor) }
        var rest: [UInt8] = []
        while let piece = Self.read(descriptor) {
            rest += piece
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            let lines = String(decoding: rest[..<end], as: UTF8.self)
            rest = Array(rest[(end + 1)...])
            if let entry = entries.first(where: lines.contains),
                let line = lines.split(separator: "\n").first(where: { $0.contains(entry) })
            {
                return Self.finding(line)
            }
        }
        return .missing
    }

    private static func finding(_ line: Substring) -> Finding {
        let fields = line.split(separator: " ")
        guard fields.count > 9, let user = UInt32(fields[7]), let node = UInt64(fields[9]) else { return .missing }
        // When no process holds the socket, the kernel gives 0 as its user.
        return node == 0 ? .left : .held(by: user)
    }

    /// Nil at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { room, filled in
            repeat {
                // At most the room's own length is written.
                count = Glibc.read(descriptor, room.baseAddress, room.count)
            } while count < 0 && errno == EINTR
            filled = max(count, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }
}
