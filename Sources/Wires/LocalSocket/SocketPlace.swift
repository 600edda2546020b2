internal import Glibc
internal import Cryptography

/// The place of the socket of one home's agent.
package struct SocketPlace: Sendable, Equatable {
    /// Absolute.
    package let path: String
    /// The mark of this home among the user's others: 16 hexadecimal digits, or nil for the default home.
    package let tag: String?
    private let home: String

    /// The default home's socket is `$XDG_RUNTIME_DIR/countersign/agent.sock`; the name of another home's socket is made
    /// from the home's path. A runtime directory that is relative, missing, another user's or writable by others is ignored
    /// (XDG Base Directory Specification); then the socket lies in the home.
    ///
    /// Creates nothing. Throws `tooLong` when the path does not fit into a unix address.
    ///
    /// - Parameters:
    ///   - home: path of the state directory, absolute and free of symbolic links; it need not exist yet.
    ///   - isDefault: whether `home` is the default state directory.
    ///   - runtimeDirectory: the value of `XDG_RUNTIME_DIR`.
    package init(home: String, isDefault: Bool, runtimeDirectory: String?) throws(SocketError) {
        self.home = home
        tag = isDefault ? nil : Self.tag(of: home)
        if let directory = runtimeDirectory, Self.isUsable(directory) {
            path = directory + "/countersign/" + (tag.map { "agent-\($0).sock" } ?? "agent.sock")
        } else {
            path = home + "/run/agent.sock"
        }
        guard UnixAddress.fits(path) else {
            throw .tooLong(
                "the socket's path is longer than \(UnixAddress.longestPath) bytes: \(path)",
                remedy: "set XDG_RUNTIME_DIR, or choose a shorter --home")
        }
    }

    var lockFile: String { path + ".lock" }
    var homeLockFile: String { AgentLock.file(inHome: home) }

    /// The directory of this socket, and of other sockets of this user's commands.
    package var directory: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// The process that holds one of the locks; nil when no agent runs. Throws `unusable`.
    package func holder() throws(SocketError) -> AgentLock.Holder? {
        if let holder = try AgentLock.holder(of: homeLockFile) { return holder }
        return try neighbour()
    }

    /// The agent that holds the lock beside this socket; nil when there is none. Throws `unusable`.
    package func neighbour() throws(SocketError) -> AgentLock.Holder? { try AgentLock.holder(of: lockFile) }

    /// Takes the locks that make an agent the only one of its home, for any runtime directory. Agents of other versions
    /// may know only the lock beside the socket. Throws as `AgentLock` and `makeDirectory`.
    func lock() throws(SocketError) -> [AgentLock] {
        try makeDirectory()
        try Self.make(home)
        return [try AgentLock(homeLockFile), try AgentLock(lockFile)]
    }

    /// Creates the socket's directory and its parents, with mode 0700 under any umask; checks it if it exists. Throws
    /// `unusable` when it is no directory, another user's, or open to others.
    package func makeDirectory() throws(SocketError) { try Self.make(directory) }

    /// Throws `unusable` when no agent could listen: the directory is not this user's alone, or something lies in the way.
    package func check() throws(SocketError) {
        if let found = try SocketFile(at: directory) { try Self.check(found, directory) }
        _ = try existing()
    }

    /// Whether a socket of this user's exists. Throws `unusable` when something else lies there.
    func existing() throws(SocketError) -> Bool {
        guard let found = try SocketFile(at: path) else { return false }
        guard found.isSocket, found.owner == geteuid() else {
            throw .unusable("\(path) is in the way, and it is no socket of yours", remedy: "rm \(path)")
        }
        return true
    }

    private static func make(_ directory: String) throws(SocketError) {
        if let found = try SocketFile(at: directory) { return try check(found, directory) }
        var made = ""
        for part in directory.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) == 0 {
                guard chmod(made, 0o700) == 0 else { throw .system(made, errno) }
            } else if errno != EEXIST {
                throw .system(made, errno)
            }
        }
        guard let found = try SocketFile(at: directory) else { throw .system(directory, ENOENT) }
        try check(found, directory)
    }

    private static func check(_ found: SocketFile, _ directory: String) throws(SocketError) {
        guard found.isDirectory else {
            throw .unusable("\(directory) is not a directory", remedy: "rm \(directory)")
        }
        guard found.owner == geteuid() else {
            throw .unusable("\(directory) belongs to another user (uid \(found.owner))")
        }
        guard found.isPrivate else {
            throw .unusable(
                "\(directory) is open to other users",
                remedy: "chmod 700 \(directory)")
        }
    }

    private static func isUsable(_ directory: String) -> Bool {
        guard directory.hasPrefix("/"), let found = SocketFile(following: directory) else { return false }
        return found.isDirectory && found.owner == geteuid() && !found.isWritableByOthers
    }

    /// The first 16 hexadecimal digits of the SHA-256 of the home's path.
    private static func tag(of home: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(
            Digest.name(of: home).prefix(8).flatMap {
                [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
            })
    }
}
