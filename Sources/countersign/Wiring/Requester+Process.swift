import FoundationEssentials
import Glibc
import SCA

extension Requester {
    /// This process and its ancestors, by their command lines. A non-dumpable process keeps `/proc/PID/exe` shut, but
    /// `cmdline` and `stat` can be read.
    static func current() -> Requester {
        var commands: [String] = []
        var pid = getpid()
        while pid > 1, commands.count < 5 {
            guard let command = commandLine(of: pid) else { break }
            commands.append(command)
            pid = parent(of: pid) ?? 0
        }
        return Requester(pid: getpid(), uid: getuid(), commands: commands)
    }

    private static func commandLine(of pid: Int32) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return nil }
        let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        // A link or a redirected address in the arguments holds a secret, however it is written.
        return String(words.map { $0.contains("://") ? "LINK" : $0 }.joined(separator: " ").prefix(200))
    }

    /// The fourth field of `/proc/PID/stat`, counted after the command's closing parenthesis (proc(5)).
    private static func parent(of pid: Int32) -> Int32? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}
