import Basics
import Glibc
import Synchronization

/// A lock in a file of the home, for one thing by name: held by one holder among all processes, and by one within a process. It is
/// never waited for here, and ends with the process in any case.
package final class NamedLock: Sendable {
    private let file: Mutex<LockFile?>

    /// Another holder has the lock. `by` is its pid, where that is known.
    package struct AlreadyLocked: Error, Sendable {
        package var by: Int32?
    }

    /// Takes the lock. `name` becomes part of a file's name. Throws `AlreadyLocked`, and `StoreError` `unusable`.
    package init(_ name: String, in directory: StateDirectory) throws {
        try directory.make()
        while true {
            let file = try LockFile(directory.path + "/\(name).lock")
            guard try file.lock() else { throw AlreadyLocked(by: file.pid()) }
            guard try file.isInPlace() else { continue }
            // The pid is for people only, so a full disk may keep it out.
            try? file.writePID()
            self.file = Mutex(file)
            return
        }
    }

    /// Lets it go.
    package func end() { file.withLock { $0 = nil } }

    /// Removes the file of a lock, whose holder does this when the thing is gone.
    package static func remove(_ name: String, in directory: StateDirectory) {
        unlink(directory.path + "/\(name).lock")
    }
}
