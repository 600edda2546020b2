package import Basics
import CPlatform
import FoundationEssentials
import Glibc
import Synchronization

/// The clocks of this machine.
package enum SystemClock {
    /// Wall clock, `/proc/sys/kernel/random/boot_id` and CLOCK_BOOTTIME. `boot` is nil when the process may see false
    /// values: when it is in a time namespace with offsets (`/proc/self/timens_offsets`), or when one of these files
    /// cannot be read or is not the kernel's own (a mount namespace can put any file in its place).
    package static let live = Clock(now: { Date() }, boot: { boot() })

    private static func boot() -> BootTime? {
        guard let id = bootID() else { return nil }
        let seconds = countersign_boot_seconds()
        guard seconds >= 0 else { return nil }
        return BootTime(bootID: id, seconds: seconds)
    }

    /// The id of this boot, once it was read. A process never sees another boot, nor other offsets of the clock.
    private static let knownBootID = Mutex<String?>(nil)

    private static func bootID() -> String? {
        knownBootID.withLock { known in
            if known == nil, !mayBeShifted() {
                // /proc/sys may be a mount of its own. No other directory of procfs has a file with this path below it.
                let line = text(of: "kernel/random/boot_id", in: "/proc/sys")?.prefix { $0 != "\n" }
                if let line, !line.isEmpty { known = String(line) }
            }
            return known
        }
    }

    private static func mayBeShifted() -> Bool {
        if let offsets = text(of: "self/timens_offsets", in: "/proc") { return isShifted(offsets) }
        // A kernel without time namespaces has no such file, and shifts nothing. But then /proc itself must be
        // readable.
        guard errno == ENOENT, text(of: "self/stat", in: "/proc") != nil else { return true }
        return false
    }

    /// Whether a line such as `boottime  3600  0` has a number that is not zero.
    static func isShifted(_ offsets: String) -> Bool {
        offsets.split(separator: "\n").contains { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().contains { Int64($0) != 0 }
        }
    }

    /// The beginning of a file that is the kernel's own; nil, with errno, when there is none.
    private static func text(of path: String, in directory: String) -> String? {
        let file = countersign_open_kernel_file(directory, path)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        // At most `count` bytes are written into the array, which lives through the call.
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
