import Basics
import Glibc
package import Keys

/// Why a home cannot be written, in words that name the directory.
extension StateDirectory {
    /// Tries to write and to lock a file in the directory. Nil if that works, or if there is no directory yet.
    package func fault() -> StoreError? { fault(isWriting: true) }

    /// As `fault`, but only whether files can be locked.
    func lockFault() -> StoreError? { fault(isWriting: false) }

    private func fault(isWriting: Bool) -> StoreError? {
        guard (try? exists()) == true else { return nil }
        let file = path + "/probe-\(getpid())"
        let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return Self.unusable(file, errno) }
        // Without a name from here on, so that a kill leaves nothing.
        unlink(file)
        // Ours since it was opened, closed nowhere else.
        defer { close(descriptor) }
        if isWriting {
            // As much as SQLite needs for its shared memory, in blocks that the disk must have.
            let bytes = [UInt8](repeating: 1, count: 32 * 1024)
            // The array lives through the call and its own count is given.
            let written = write(descriptor, bytes, bytes.count)
            guard written == bytes.count else { return Self.unusable(file, written < 0 ? errno : ENOSPC) }
            guard fsync(descriptor) == 0 else { return Self.unusable(file, errno) }
        }
        // SQLite takes locks of one kind, the state lock is one of the other.
        var lock = Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
        // Reads a struct that outlives the call.
        guard fcntl(descriptor, F_SETLK, &lock) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            return Self.unusable(file, errno)
        }
        return nil
    }

    /// The error for a file of a home, from the system's error number.
    static func unusable(_ file: String, _ code: Int32) -> StoreError {
        let directory = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? file
        return switch code {
        case ENOSPC, EDQUOT:
            StoreError.unusable(
                "no space left in \(directory)",
                remedy: "make room on its disk, or choose another place with --home")
        case EROFS:
            StoreError.unusable(
                "\(directory) is read-only", remedy: "mount it writable, or choose another place with --home"
            )
        case ENOLCK, EOPNOTSUPP, ENOSYS:
            StoreError.unusable(
                "\(directory)'s file system has no locks",
                remedy: "choose a place on another file system with --home")
        default:
            // strerror never gives null; its text is copied before another call can change it.
            StoreError.unusable("\(file): \(String(cString: strerror(code)).lowercased())")
        }
    }
}
