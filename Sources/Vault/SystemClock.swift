import CPlatform
import FoundationEssentials
import Glibc
public import SCA

/// The clocks of this machine as the kernel tells them.
public enum SystemClock {
    /// Wall clock, `/proc/sys/kernel/random/boot_id` and CLOCK_BOOTTIME. `boot` gives nil when one cannot be read, or
    /// when the process is in a time namespace with offsets (`/proc/self/timens_offsets`).
    public static let live = Clock(now: { Date() }, boot: { boot() })

    private static func boot() -> BootTime? {
        // A kernel without time namespaces has no such file, and nothing is shifted.
        if let offsets = text(of: "/proc/self/timens_offsets"), isShifted(offsets) { return nil }
        guard let line = text(of: "/proc/sys/kernel/random/boot_id"), line.utf8.count > 1 else { return nil }
        let seconds = countersign_boot_seconds()
        guard seconds >= 0 else { return nil }
        return BootTime(bootID: String(line.prefix { $0 != "\n" }), seconds: seconds)
    }

    /// Whether a line such as `boottime  3600  0` has a number that is not zero.
    static func isShifted(_ offsets: String) -> Bool {
        offsets.split(separator: "\n").contains { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().contains { Int64($0) != 0 }
        }
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        // At most `count` bytes are written into the array, which lives through the call.
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
