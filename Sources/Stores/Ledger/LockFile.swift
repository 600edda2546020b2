import Basics
import Glibc

/// An open lock file, with the pid of its holder inside. The lock ends with the descriptor: when this object goes, or when
/// the process is killed.
final class LockFile: Sendable {
    let identity: FileIdentity
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw StateDirectory.unusable(path, errno) }
        do {
            let found = try FileStatus(of: opened, at: path)
            // The file is ours alone, regardless of the umask.
            if found.mode != 0o600 { fchmod(opened, 0o600) }
            identity = found.identity
        } catch {
            close(opened)
            throw error
        }
        self.path = path
        descriptor = opened
    }

    deinit {
        // Ours since init, closed nowhere else; closing unlocks.
        close(descriptor)
    }

    /// Takes the lock without waiting. Returns false while another holder has it.
    func lock() throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw StateDirectory.unusable(path, errno) }
        return false
    }

    /// Whether the path still leads to this file. An earlier holder may have removed it; then others lock a new one.
    func isInPlace() throws -> Bool { try FileStatus(of: path)?.identity == identity }

    /// Pads the pid to the longest length, so that the file need not be truncated: closing a truncated file waits for the disk on
    /// ext4.
    func writePID() throws {
        var text = Array("\(getpid())".utf8)
        text += Array(repeating: UInt8(ascii: "\n"), count: max(1, 11 - text.count))
        if contents() == text { return }
        // The array lives through the call and its own count is given.
        guard pwrite(descriptor, text, text.count, 0) == text.count else {
            throw StateDirectory.unusable(path, errno)
        }
    }

    /// The pid inside; nil if there is none.
    func pid() -> Int32? { Int32(String(decoding: contents(), as: UTF8.self).prefix { $0 != "\n" }) }

    private func contents() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        // At most the array's own length is written into it.
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(count, 0)))
    }
}
