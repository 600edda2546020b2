import Basics
import Glibc
import Synchronization

/// A lock in a file of the home, for one thing by name: held by one holder among all processes, and by one within a process. It is
/// never waited for here, and ends with the process in any case.
package final class NamedLock: Sendable {
    private let descriptor: Mutex<Int32>

    /// Who has it, where it could not be taken.
    package struct Held: Error, Sendable {
        package var by: Int32?
    }

    /// Takes the lock. `name` becomes part of a file's name. Throws `Held`, and `StoreError` `unusable`.
    package init(_ name: String, in directory: StateDirectory) throws {
        try directory.make()
        let path = directory.path + "/\(name).lock"
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { throw StateDirectory.unusable(path, errno) }
            // Ours alone whatever the umask was.
            fchmod(opened, 0o600)
            var isTaken = false
            defer { if !isTaken { close(opened) } }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw StateDirectory.unusable(path, errno) }
                throw Held(by: Self.pid(in: opened))
            }
            // Who held it before may have removed the file; then others lock a new one.
            guard try FileStatus(of: path)?.identity == FileStatus(of: opened, at: path).identity else { continue }
            let text = Array("\(getpid())\n".utf8)
            // The array lives through the call and its own count is given. The pid is for people only, so a full disk may keep it out.
            if ftruncate(opened, 0) == 0 { _ = pwrite(opened, text, text.count, 0) }
            isTaken = true
            descriptor = Mutex(opened)
            return
        }
    }

    deinit { end() }

    /// Lets it go.
    package func end() {
        descriptor.withLock { descriptor in
            // Ours since init; closing unlocks.
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Removes the file of a lock, whose holder does this when the thing is gone.
    package static func remove(_ name: String, in directory: StateDirectory) {
        unlink(directory.path + "/\(name).lock")
    }

    private static func pid(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // At most the array's own length is written into it.
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int32(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).prefix { $0 != "\n" })
    }
}
