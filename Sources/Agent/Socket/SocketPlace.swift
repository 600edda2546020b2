internal import Glibc
internal import SCACrypto

/// Where the socket of one home's agent lies (design, "Where things live").
public struct SocketPlace: Sendable, Equatable {
    /// Absolute.
    public let path: String

    /// The default home's socket is `$XDG_RUNTIME_DIR/countersign/agent.sock`; another home's is called after its real
    /// path. A runtime directory that is relative, missing, another user's or writable by others does not count (XDG Base
    /// Directory Specification); without one the socket lies in the home.
    ///
    /// Nothing is made. Throws `tooLong` when the path does not fit into a unix address.
    ///
    /// - Parameters:
    ///   - home: absolute path of the state directory; it need not exist yet.
    ///   - isDefault: whether that is where the state lies when nothing else is said.
    ///   - runtimeDirectory: the value of `XDG_RUNTIME_DIR`.
    public init(home: String, isDefault: Bool, runtimeDirectory: String?) throws(SocketError) {
        if let directory = runtimeDirectory, Self.isUsable(directory) {
            path = directory + "/countersign/" + (isDefault ? "agent.sock" : "agent-\(Self.tag(of: home)).sock")
        } else {
            path = home + "/run/agent.sock"
        }
        guard UnixAddress.fits(path) else {
            throw SocketError(
                .tooLong, "the socket's path is longer than \(UnixAddress.longestPath) bytes: \(path)")
        }
    }

    /// A socket at a path of one's own choice. Throws `tooLong`.
    init(path: String) throws(SocketError) {
        guard UnixAddress.fits(path) else { throw SocketError(.tooLong, "the socket's path is too long: \(path)") }
        self.path = path
    }

    var lockFile: String { path + ".lock" }
    /// Where it lies, and other sockets of this user's commands with it.
    public var directory: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// Makes the socket's directory, mode 0700 whatever the umask, with its parents; checks it when it is there. Throws
    /// `unusable` when it is no directory, another user's, or open to others.
    public func makeDirectory() throws(SocketError) {
        if let found = try SocketFile(at: directory) { return try check(found) }
        var made = ""
        for part in directory.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) == 0 {
                guard chmod(made, 0o700) == 0 else { throw .unusable(made, errno) }
            } else if errno != EEXIST {
                throw .unusable(made, errno)
            }
        }
        guard let found = try SocketFile(at: directory) else { throw .unusable(directory, ENOENT) }
        try check(found)
    }

    private func check(_ found: SocketFile) throws(SocketError) {
        guard found.isDirectory else { throw SocketError(.unusable, "\(directory) is not a directory") }
        guard found.owner == geteuid() else {
            throw SocketError(.unusable, "\(directory) belongs to another user (uid \(found.owner))")
        }
        guard found.isPrivate else {
            throw SocketError(.unusable, "\(directory) is open to other users; close it with: chmod 700 \(directory)")
        }
    }

    private static func isUsable(_ directory: String) -> Bool {
        guard directory.hasPrefix("/"), let found = SocketFile(following: directory) else { return false }
        return found.isDirectory && found.owner == geteuid() && !found.isWritableByOthers
    }

    /// The first 16 hexadecimal digits of the SHA-256 of the home's real path.
    private static func tag(of home: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(
            Digest.sha256(Array(realPath(home).utf8)).prefix(8).flatMap {
                [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
            })
    }

    /// Symbolic links resolved as far as the path exists, so that one home has one socket by whatever name it is called,
    /// also before it is made.
    private static func realPath(_ path: String) -> String {
        // With null, realpath allocates the result (POSIX.1-2008); we free it.
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return "/" }
        let parent = realPath("/" + parts.dropLast().joined(separator: "/"))
        return (parent == "/" ? "" : parent) + "/" + last
    }
}
