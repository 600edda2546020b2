import Basics
import Glibc
import Synchronization

/// A file of this user's alone that one process at a time can lock (flock(2)). The lock ends with the process, or with this object.
final class FileLock: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// Opens the file without locking it. Throws a `Failure`.
    init(_ path: String) throws {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_APPEND, 0o600)
        guard opened >= 0 else { throw Self.failure(path) }
        self.path = path
        descriptor = Mutex(opened)
    }

    deinit { end() }

    /// Takes the lock. Returns false if another has it.
    func take() -> Bool { descriptor.withLock { flock($0, LOCK_EX | LOCK_NB) } == 0 }

    /// Waits for the lock.
    func wait() {
        descriptor.withLock { while flock($0, LOCK_EX) != 0, errno == EINTR {} }
    }

    /// The first bytes of the file.
    func content(most: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        // At most the array's own length is written into it.
        let count = descriptor.withLock { pread($0, &bytes, most, 0) }
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Makes this the whole content.
    func write(_ bytes: [UInt8]) throws {
        guard descriptor.withLock({ ftruncate($0, 0) }) == 0 else { throw Self.failure(path) }
        try append(bytes)
    }

    func append(_ bytes: [UInt8]) throws {
        // The array lives through the call, and its own count is given.
        guard descriptor.withLock({ Glibc.write($0, bytes, bytes.count) }) == bytes.count else {
            throw Self.failure(path)
        }
    }

    /// Empties the file; returns how many bytes it had.
    func empty() -> Int {
        var found = stat()
        return descriptor.withLock { file in
            guard fstat(file, &found) == 0, found.st_size > 0, ftruncate(file, 0) == 0 else { return 0 }
            return Int(found.st_size)
        }
    }

    /// Unlocks and closes the file.
    func end() {
        descriptor.withLock { file in
            if file >= 0 { close(file) }
            file = -1
        }
    }

    private static func failure(_ path: String) -> Failure {
        // strerror never gives null; its text is copied before another call can change it.
        Failure(.internal, "\(path) cannot be used: \(String(cString: strerror(errno)).lowercased())")
    }
}
