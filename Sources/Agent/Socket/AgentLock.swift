internal import Glibc

/// The lock that makes an agent the only one of its home: an exclusive flock(2) on a file beside the socket, with the
/// holder's pid inside. It goes with the descriptor: at the end of life, or when the process is killed.
final class AgentLock: Sendable {
    private let descriptor: Int32

    /// Takes it without waiting. Throws `running`, naming the holder, when another process has it, else `unusable`.
    init(_ path: String) throws(SocketError) {
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { throw .unusable(path, errno) }
            guard Self.isLocked(opened) else {
                defer { close(opened) }
                guard errno == EWOULDBLOCK else { throw .unusable(path, errno) }
                throw .running(Self.holder(opened))
            }
            // Somebody may have removed the file in between; then others would lock a new one.
            guard let mine = SocketFile(descriptor: opened), try SocketFile(at: path)?.identity == mine.identity else {
                close(opened)
                continue
            }
            let text = Array("\(getpid())\n".utf8)
            // The array lives through the call and its own count is given.
            guard fchmod(opened, 0o600) == 0, ftruncate(opened, 0) == 0,
                pwrite(opened, text, text.count, 0) == text.count
            else {
                let number = errno
                close(opened)
                throw .unusable(path, number)
            }
            descriptor = opened
            return
        }
    }

    deinit {
        // The next agent shall not name this one.
        ftruncate(descriptor, 0)
        // Ours since init, closed nowhere else; closing unlocks.
        close(descriptor)
    }

    private static func isLocked(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// The pid inside. A holder writes it just after it has the lock, so an empty file, or the pid of a process that is no
    /// more, is looked at again for a moment.
    private static func holder(_ descriptor: Int32) -> Int32? {
        for _ in 0..<20 {
            var bytes = [UInt8](repeating: 0, count: 16)
            // At most the array's own length is written into it.
            let count = pread(descriptor, &bytes, bytes.count, 0)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            if text.hasSuffix("\n"), let pid = Int32(text.dropLast()), kill(pid, 0) == 0 || errno == EPERM {
                return pid
            }
            usleep(5_000)
        }
        return nil
    }
}
