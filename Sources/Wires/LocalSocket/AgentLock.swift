internal import Glibc

/// A lock that makes an agent the only one of its home: an exclusive flock(2) on a file, with the holder's pid inside. It
/// ends with the descriptor: at the end of its life, or when the process is killed.
package final class AgentLock: Sendable {
    /// A running agent.
    package struct Holder: Sendable, Equatable {
        /// Nil when its process is not known.
        package var pid: Int32?
    }

    private let descriptor: Int32

    /// The agent that has the lock of this home, wherever it listens; nil when no agent runs. Throws `SocketError`
    /// `unusable`.
    package static func holder(inHome home: String) throws(SocketError) -> Holder? {
        try holder(of: file(inHome: home))
    }

    /// The holder of one lock.
    static func holder(of path: String) throws(SocketError) -> Holder? {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard opened >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(path, errno)
        }
        defer { close(opened) }
        // Shared, and released at once, so that several commands can look at the same time.
        if isLocked(opened, LOCK_SH) { return nil }
        guard errno == EWOULDBLOCK else { throw .system(path, errno) }
        for _ in 0..<patience {
            if let pid = pid(in: opened) { return Holder(pid: pid) }
            usleep(pause)
        }
        return Holder(pid: nil)
    }

    static func file(inHome home: String) -> String { home + "/agent.lock" }

    /// Takes the lock without waiting. Throws `running`, naming the holder, when another process has it, else `unusable`.
    init(_ path: String, patience: Int = AgentLock.patience) throws(SocketError) {
        var tries = patience
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { throw .system(path, errno) }
            guard Self.isLocked(opened, LOCK_EX) else {
                defer { close(opened) }
                guard errno == EWOULDBLOCK else { throw .system(path, errno) }
                let pid = Self.pid(in: opened)
                guard pid == nil, tries > 0 else { throw .running(pid: pid) }
                tries -= 1
                usleep(Self.pause)
                continue
            }
            // The file may have been removed in between; then others would lock a new one.
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
                throw .system(path, number)
            }
            descriptor = opened
            return
        }
    }

    deinit {
        // Without its pid inside, no command takes this process for the next agent.
        ftruncate(descriptor, 0)
        // Ours since init, closed nowhere else; closing unlocks.
        close(descriptor)
    }

    private static func isLocked(_ descriptor: Int32, _ kind: Int32) -> Bool {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// An agent writes its pid just after it has the lock, and a process that only looks at the lock holds it for a moment.
    /// So a file without the pid of a process is read again: this often, after so many microseconds.
    static let patience = 20
    private static let pause: UInt32 = 5_000

    /// The pid inside; nil when there is none, or when its process has ended.
    private static func pid(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // At most the array's own length is written into it.
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        guard text.hasSuffix("\n"), let pid = Int32(text.dropLast()), kill(pid, 0) == 0 || errno == EPERM else {
            return nil
        }
        return pid
    }
}
