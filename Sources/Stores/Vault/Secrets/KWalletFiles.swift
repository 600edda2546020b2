import FoundationEssentials
import Glibc

/// The files of KWallet's wallets, whose times show when KWallet has written them. If KWallet is killed before it has
/// written, new items come back without their secrets.
struct KWalletFiles {
    private let directory: String?
    private let before: [String: timespec]

    /// Notes the files as they are now.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (data ?? environment["HOME"].map { $0 + "/.local/share" }).map { $0 + "/kwalletd" }
        before = Self.times(in: directory)
    }

    /// Waits until one of them was written, but no longer than `seconds`. Does not wait where there are none: then
    /// nothing would show when they are written.
    func awaitChange(_ seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !before.isEmpty, ContinuousClock.now < deadline {
            let changed = Self.times(in: directory).contains { name, time in
                guard let earlier = before[name] else { return true }
                return (time.tv_sec, time.tv_nsec) != (earlier.tv_sec, earlier.tv_nsec)
            }
            if changed { return }
            usleep(100_000)
        }
    }

    private static func times(in directory: String?) -> [String: timespec] {
        guard let directory, let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            return [:]
        }
        var times: [String: timespec] = [:]
        for name in names where name.hasSuffix(".kwl") {
            var found = stat()
            // Fills the struct during the call.
            if stat("\(directory)/\(name)", &found) == 0 { times[name] = found.st_mtim }
        }
        return times
    }
}
