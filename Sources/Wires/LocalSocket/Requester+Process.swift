package import Basics
internal import Glibc

extension Requester {
    /// This process and its ancestors.
    package static func current() -> Requester { of(pid: getpid(), uid: getuid()) }

    /// The command lines of a process and its ancestors, the process first, at most five. A process without a command line
    /// is listed by its name, as `[name]`. No commands when the process has ended.
    package static func of(pid: Int32, uid: UInt32) -> Requester {
        var commands: [String] = []
        var next = pid
        while next > 1, commands.count < 5, let status = ProcessStatus(of: next) {
            commands.append(commandLine(of: next) ?? "[\(status.name)]")
            next = status.parent
        }
        return Requester(pid: pid, uid: uid, commands: commands)
    }

    /// Nil when there is none: the process has ended and was not waited for yet, or cleared it.
    private static func commandLine(of pid: Int32) -> String? {
        guard let bytes = ProcessFile.contents("/proc/\(pid)/cmdline") else { return nil }
        let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard !words.isEmpty else { return nil }
        return String(words.map(ArgumentVector.shown).joined(separator: " ").prefix(200))
    }
}
