public import Basics
internal import Glibc

extension Requester {
    /// This process and its ancestors.
    public static func current() -> Requester { of(pid: getpid(), uid: getuid()) }

    /// A process and its ancestors, by their command lines, the process first, at most five; by the program's name, as
    /// `[name]`, where there is no command line. No commands where the process is gone.
    public static func of(pid: Int32, uid: UInt32) -> Requester {
        var commands: [String] = []
        var next = pid
        while next > 1, commands.count < 5, let status = ProcessStatus(of: next) {
            commands.append(commandLine(of: next) ?? "[\(status.name)]")
            next = status.parent
        }
        return Requester(pid: pid, uid: uid, commands: commands)
    }

    /// Nil where there is none: of a process that has ended and was not yet waited for, or that cleared it.
    private static func commandLine(of pid: Int32) -> String? {
        guard let bytes = ProcessFile.contents("/proc/\(pid)/cmdline") else { return nil }
        let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard !words.isEmpty else { return nil }
        // A link or a redirected address in the arguments holds a secret, however it is written.
        return String(words.map { $0.contains("://") ? "LINK" : $0 }.joined(separator: " ").prefix(200))
    }
}
