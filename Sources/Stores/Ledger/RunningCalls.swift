package import Basics
import Glibc
import Synchronization

/// Which calls are running at this moment, in any process. A call is identified by the number of the event that
/// recorded it. While it runs, it locks one byte of a file, at the position of that number.
///
/// The lock belongs to the open file (`F_OFD_SETLK`, fcntl(2)). So it also works between threads of one process, and it
/// ends with the process in any case.
package struct RunningCalls: Sendable {
    private let path: String

    package init(_ directory: StateDirectory) { path = directory.callsFile }

    /// Marks this call as running until the mark ends. The number is new, so no other mark can have it.
    package func begin(_ number: Int64) throws -> any RunningCall {
        let file = try CallFile(path, O_RDWR | O_CREAT)
        var lock = Self.byte(number)
        // Reads a struct that outlives the call.
        guard fcntl(file.descriptor, Self.setLock, &lock) == 0 else { throw StateDirectory.unusable(path, errno) }
        return CallMark(file)
    }

    /// Whether the call with this number is running.
    package func contains(_ number: Int64) throws -> Bool {
        guard let file = try CallFile(existing: path) else { return false }
        var lock = Self.byte(number)
        // Writes into a struct that outlives the call.
        guard fcntl(file.descriptor, Self.getLock, &lock) == 0 else { throw StateDirectory.unusable(path, errno) }
        return lock.l_type != Int16(F_UNLCK)
    }

    // F_OFD_GETLK and F_OFD_SETLK of linux/fcntl.h, which do not import into Swift.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    private static func byte(_ number: Int64) -> flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: Int(number), l_len: 1, l_pid: 0)
    }
}

/// The open file. Closing it ends its locks.
private final class CallFile: Sendable {
    let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws {
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateDirectory.unusable(path, errno) }
        // Ours alone, regardless of the umask.
        fchmod(descriptor, 0o600)
    }

    /// Nil when there is none.
    init?(existing path: String) throws {
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            guard errno == ENOENT else { throw StateDirectory.unusable(path, errno) }
            return nil
        }
    }

    deinit {
        // Ours since init, closed nowhere else.
        if descriptor >= 0 { close(descriptor) }
    }
}

private final class CallMark: RunningCall {
    private let file: Mutex<CallFile?>

    init(_ file: CallFile) { self.file = Mutex(file) }

    func end() { file.withLock { $0 = nil } }
}
