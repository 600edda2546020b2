internal import Glibc

/// Some fields of `/proc/PID/stat` (proc(5)). They can be read for every process of the same user, also for one that is not
/// dumpable.
package struct ProcessStatus: Sendable, Equatable {
    /// The first 15 bytes of the program's name, or a name that the process gave itself.
    package var name: String
    package var parent: Int32
    /// The number of the controlling terminal; 0 when there is none.
    package var terminal: Int32
    /// Clock ticks from the boot to the process's start. With the pid it names one process for as long as the machine runs.
    package var startTime: UInt64

    /// Nil when there is no such process.
    package init?(of pid: Int32) {
        guard pid > 0, let bytes = ProcessFile.contents("/proc/\(pid)/stat") else { return nil }
        self.init(bytes)
    }

    /// The name stands in parentheses and may contain some, so the last one ends it.
    package init?(_ bytes: [UInt8]) {
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let end = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < end
        else { return nil }
        name = String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
        // Fields 4, 7 and 22; the one after the name is number 3.
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        func number<Number: FixedWidthInteger>(_ index: Int) -> Number? {
            Number(String(decoding: fields[index], as: UTF8.self))
        }
        guard fields.count > 19, let parent: Int32 = number(1), let terminal: Int32 = number(4),
            let startTime: UInt64 = number(19)
        else { return nil }
        self.parent = parent
        self.terminal = terminal
        self.startTime = startTime
    }
}

/// Reads small files in `/proc`, whose size is not known in advance.
enum ProcessFile {
    /// At most 16 KiB. Nil when it cannot be read, or is not a regular file: reading a pipe in a sandbox's root could block for
    /// ever.
    static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        // Writes to the struct during the call.
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 16384) { room, filled in
            filled = 0
            repeat {
                // Writes at most the rest of the room.
                count = read(descriptor, room.baseAddress.map { $0 + filled }, room.count - filled)
                filled += max(count, 0)
            } while count > 0 && filled < room.count
        }
        return count < 0 ? nil : bytes
    }

    /// Where a link leads to, as the kernel says it; nil when it cannot be read.
    static func link(_ path: String) -> String? {
        var room = [UInt8](repeating: 0, count: 4097)
        // Writes at most the given number of bytes; the array lives through the call.
        let count = room.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), room.count) } ?? -1
        }
        guard count > 0, count <= 4096 else { return nil }
        return String(decoding: room[..<count], as: UTF8.self)
    }
}
