import Basics
import FoundationEssentials
import Glibc
import Keys

/// The home of one vault: the directory with its database and lock files, which only its owner can read.
package struct StateDirectory: Sendable, Equatable {
    /// Absolute, with symbolic links resolved as far as the path exists. So a home has one path for all of its names,
    /// even before it is created.
    package let path: String

    /// `home` (`--home`), else `COUNTERSIGN_HOME`, else `$XDG_STATE_HOME/countersign`, else
    /// `$HOME/.local/state/countersign`. A relative `XDG_STATE_HOME` is ignored (XDG Base Directory Specification).
    /// Creates nothing. Throws `StoreError` `unusable` when none of these is given.
    package init(home: String?, environment: [String: String]) throws {
        path = Self.realPath(try Self.place(home, environment))
    }

    private static func place(_ home: String?, _ environment: [String: String]) throws -> String {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let explicit = home.flatMap({ $0.isEmpty ? nil : $0 }) ?? value("COUNTERSIGN_HOME") {
            return try absolute(explicit)
        } else if let state = value("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/countersign"
        } else if let user = value("HOME"), user.hasPrefix("/") {
            return user + "/.local/state/countersign"
        }
        throw StoreError.unusable(
            "neither XDG_STATE_HOME nor HOME says where to keep the state",
            remedy: "choose a place with --home")
    }

    var database: String { path + "/ledger.sqlite" }
    var lockFile: String { path + "/lock" }
    var pinLockFile: String { path + "/pin.lock" }
    /// The file whose locks say which calls are running (`RunningCalls`).
    var callsFile: String { path + "/calls.lock" }

    /// Whether the directory exists. Throws `StoreError` `unusable` when the path is not a directory, belongs to
    /// another user or is accessible to others.
    package func exists() throws -> Bool {
        guard let found = try FileStatus(of: path) else { return false }
        guard found.isDirectory else {
            throw StoreError.unusable("\(path) is not a directory", remedy: "choose another with --home")
        }
        do { try found.demandPrivate("the state directory", at: path, mode: "700") } catch let error as StoreError {
            // After a mistyped path, the hint must not advise to close /tmp to others.
            guard isForeign else { throw error }
            throw StoreError.unusable(error.reason, remedy: "choose another with --home")
        }
        return true
    }

    /// Whether it holds something, but no vault.
    private var isForeign: Bool {
        access(database, F_OK) != 0 && (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) != true
    }

    /// Throws `StoreError` `unusable` if root would work in another user's home, as with sudo: that user could not read
    /// root's files afterwards. Looks at the directory, or at the nearest one above it that exists.
    package func demandNotAnothers() throws {
        guard geteuid() == 0 else { return }
        var place = path
        var found = try FileStatus(of: place)
        while found == nil, place != "/" {
            let parent = place[..<(place.lastIndex(of: "/") ?? place.startIndex)]
            place = parent.isEmpty ? "/" : String(parent)
            found = try FileStatus(of: place)
        }
        guard let owner = found?.owner, owner != 0 else { return }
        throw StoreError.unusable(
            "\(place) belongs to another user (uid \(owner)), and this runs as root",
            remedy: "do not use sudo; or choose a home of root's own with --home")
    }

    /// Creates the directory with its parents, with mode 0700 under any umask; checks it when it exists already.
    package func make() throws {
        try demandNotAnothers()
        if try exists() { return }
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) == 0 {
                guard chmod(made, 0o700) == 0 else { throw Self.unusable(made, errno) }
            } else if errno != EEXIST {
                throw Self.unusable(made, errno)
            }
        }
        _ = try exists()
    }

    private static func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        // With null and 0, getcwd allocates the buffer (glibc); we free it.
        guard let current = getcwd(nil, 0) else { throw unusable(".", errno) }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    private static func realPath(_ path: String) -> String {
        // With null, realpath allocates the result (POSIX.1-2008); we free it.
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        var rest = path[...]
        while rest.utf8.last == UInt8(ascii: "/") { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "/" }
        let parent = realPath(rest.startIndex == slash ? "/" : String(rest[..<slash]))
        let last = rest[rest.index(after: slash)...]
        switch last {
        case ".": return parent
        case "..":
            let above = parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)]
            return above.isEmpty ? "/" : String(above)
        default: return (parent == "/" ? "" : parent) + "/" + String(last)
        }
    }
}

/// The needed members of stat(2)'s result.
struct FileStatus {
    private let status: stat

    /// Nil when there is no such file.
    init?(of path: String) throws {
        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == ENOENT { return nil }
            throw StateDirectory.unusable(path, errno)
        }
        status = found
    }

    init(of descriptor: Int32, at path: String) throws {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw StateDirectory.unusable(path, errno) }
        status = found
    }

    var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var size: Int { status.st_size }
    var owner: uid_t { status.st_uid }
    /// The permission bits, without the file type.
    var mode: mode_t { status.st_mode & 0o7777 }
    /// Identifies the file itself, for all paths that lead to it.
    var identity: FileIdentity { FileIdentity(device: status.st_dev, inode: status.st_ino) }

    /// Throws `StoreError` `unusable`, with a remedy, when the file belongs to another user or is accessible to others.
    func demandPrivate(_ what: String, at path: String, mode: String) throws {
        guard status.st_uid == geteuid() else {
            throw StoreError.unusable(
                "\(what) \(path) belongs to another user (uid \(status.st_uid))",
                remedy: "choose another with --home")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError.unusable(
                "\(what) \(path) is open to other users",
                remedy: "chmod \(mode) \(path)")
        }
    }
}

struct FileIdentity: Hashable {
    var device: UInt
    var inode: UInt
}
