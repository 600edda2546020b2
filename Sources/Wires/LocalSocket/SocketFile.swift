internal import Glibc

/// Some fields of stat(2) about a file.
struct SocketFile {
    /// Identifies a file by itself, for all paths that lead to it.
    struct Identity: Hashable {
        var device: UInt
        var inode: UInt
    }

    private let status: stat

    /// Nil when there is no such file. Does not follow a symbolic link. Throws `unusable`.
    init?(at path: String) throws(SocketError) {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(path, errno)
        }
        status = found
    }

    init?(descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        status = found
    }

    /// The file that the path leads to through symbolic links. Nil when it cannot be reached; errno says why.
    init?(following path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        status = found
    }

    var identity: Identity { Identity(device: status.st_dev, inode: status.st_ino) }
    var owner: UInt32 { status.st_uid }
    var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
    /// Whether nobody but its owner may do anything with it.
    var isPrivate: Bool { status.st_mode & 0o077 == 0 }
    var isWritableByOthers: Bool { status.st_mode & 0o022 != 0 }
}
