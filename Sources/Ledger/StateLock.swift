import Basics
import Glibc
import Synchronization

/// The state lock: one holder at a time, among all processes and all threads of a process. It covers one change of
/// state, and is never held while prompting, talking to a bank or waiting for a browser.
public struct StateLock: Sendable {
    private let directory: StateDirectory
    private let path: String
    private let patience: Duration

    /// `patience`: how long `hold` waits for another holder.
    public init(_ directory: StateDirectory, patience: Duration = .seconds(10)) {
        self.init(directory, file: directory.lockFile, patience: patience)
    }

    /// Another lock beside the state lock, with a file of its own.
    init(_ directory: StateDirectory, file: String, patience: Duration) {
        self.directory = directory
        path = file
        self.patience = patience
    }

    /// Runs `body` while holding the lock; creates the state directory when it is missing. In a thread that already
    /// holds the lock it just runs `body`. Throws `StoreError` `busy`, which names the holder's pid, when the wait was
    /// too long.
    public func hold<R>(_ body: () throws -> R) throws -> R {
        try directory.make()
        while true {
            let file = try LockFile(path)
            if Self.isHeldByThisThread(file.identity) { return try body() }
            try file.lock(within: patience)
            // Another process may have removed the file while we waited; then others lock a new one.
            guard try FileStatus(of: path)?.identity == file.identity else { continue }
            // pthread_self cannot fail. The id is valid while this thread runs, and `body` runs on no other.
            Self.holders.withLock { $0[file.identity] = pthread_self() }
            defer { Self.holders.withLock { $0[file.identity] = nil } }
            try file.writePID()
            return try body()
        }
    }

    /// The thread that holds each lock file, in this process.
    private static let holders = Mutex<[FileIdentity: pthread_t]>([:])

    private static func isHeldByThisThread(_ file: FileIdentity) -> Bool {
        holders.withLock { $0[file] } == pthread_self()
    }
}

/// An open lock file. The lock ends with the descriptor: when this object goes, or when the process is killed.
private final class LockFile {
    let identity: FileIdentity
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw StateDirectory.unusable(path, errno) }
        // The file is ours alone whatever the umask was.
        fchmod(opened, 0o600)
        do {
            identity = try FileStatus(of: opened, at: path).identity
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

    func lock(within patience: Duration) throws {
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StateDirectory.unusable(path, errno) }
            guard ContinuousClock.now < deadline else {
                let holder = pid().map { "process \($0)" } ?? "another process"
                throw StoreError(.busy, "\(holder) holds the lock \(path)")
            }
            usleep(5_000)
        }
    }

    func writePID() throws {
        let text = Array("\(getpid())\n".utf8)
        // The array lives through the call and its own count is given.
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            throw StateDirectory.unusable(path, errno)
        }
    }

    private func pid() -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // At most the array's own length is written into it.
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int32(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).prefix { $0 != "\n" })
    }
}
