internal import Basics
internal import CPlatform
internal import Glibc

/// Starts this program anew in the background: in a session of its own, without a terminal.
///
/// The two processes share a socket pair, on which the new one reports that it is ready, or why it is not
/// (`Readiness`). An environment variable names the descriptor to the new process.
package enum Daemon {
    static let variable = "COUNTERSIGN_READINESS"
    /// The descriptor of the pair in the new process.
    private static let line: Int32 = 3
    private static let longestReason = 4096

    /// Starts this program with these arguments, which leave out the program's name, and waits until it is ready. Returns
    /// its pid.
    ///
    /// The new process has this environment and this process's working directory, `/dev/null` as standard input, output and
    /// error, and no other descriptor. Throws `SocketError`: `notStarted` with the reason that the process gave before it
    /// ended, or when it reported nothing for `patience` and was killed; `running` when the reason is that an agent runs
    /// already.
    package static func start(
        arguments: [String], environment: [String: String], patience: Duration = .seconds(60)
    ) throws(SocketError) -> Int32 {
        try start(program(), [CommandLine.arguments.first ?? "countersign"] + arguments, environment, patience)
    }

    static func start(
        _ program: String, _ words: [String], _ environment: [String: String], _ patience: Duration
    ) throws(SocketError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        // Two descriptors into an array of two.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .system("no connection to a new process could be made", errno)
        }
        defer { close(ends[0]) }
        let started = Result { () throws(SocketError) in
            try spawn(program, words, environment, readiness: ends[1])
        }
        // Now only the new process has this end open: reading ends when that process ends.
        close(ends[1])
        let pid = try started.get()
        switch hear(ends[0], until: .now + patience) {
        case .ready: return pid
        case .failed(let reason):
            var status: Int32 = 0
            // Our own child, whose end of the pair is closed: it has ended or is about to.
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            // WIFEXITED and WEXITSTATUS of wait(2), which do not import.
            if status & 0x7f == 0, status >> 8 & 0xff == Failure.Kind.alreadyRuns.exitCode {
                throw .anotherRuns(String(reason.prefix { $0 != "\n" }))
            }
            throw .notStarted(reason.isEmpty ? "the agent ended before it was ready" : reason)
        case .silent:
            // Our own child, not yet waited for, so the pid is still its own.
            kill(pid, SIGKILL)
            while waitpid(pid, nil, 0) < 0, errno == EINTR {}
            throw .notStarted("the agent did not become ready in time")
        }
    }

    /// The file that runs here. By its path if that still leads to it, so that the new process has its name.
    private static func program() -> String {
        let own = "/proc/self/exe"
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Writes at most the array's own length; no null byte is added.
        let count = readlink(own, &path, path.count)
        let found = String(decoding: path.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let there = SocketFile(following: found), there.identity == SocketFile(following: own)?.identity else {
            return own
        }
        return found
    }

    private enum Word {
        case ready
        case failed(String)
        case silent
    }

    /// Reads the report of the new process: one byte means ready, anything else is the reason of a failure.
    private static func hear(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> Word {
        var text: [UInt8] = []
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .silent }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One entry; an interruption or a timeout leads back here.
            guard poll(&entry, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1)) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 512)
            // At most the array's own length is written into it.
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            if text.isEmpty, count > 0, bytes[0] == Readiness.ready { return .ready }
            guard count > 0, text.count < longestReason else { return .failed(String(decoding: text, as: UTF8.self)) }
            text += bytes.prefix(count)
        }
    }

    private static func spawn(
        _ program: String, _ words: [String], _ environment: [String: String], readiness: Int32
    ) throws(SocketError) -> Int32 {
        // The service manager's variables are for this process, not for the new one.
        let foreign = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET", variable]
        let lines = environment.filter { !foreign.contains($0.key) }.map { "\($0)=\($1)" } + ["\(variable)=\(line)"]
        var pid = pid_t()
        let fault = ArgumentVector.with(words) { arguments in
            ArgumentVector.with(lines) { variables in
                // The new process gets its end of the pair under that number.
                countersign_spawn(&pid, program, arguments, variables, [-1, -1, -1, readiness], line + 1, 1)
            }
        }
        guard fault == 0 else {
            // strerror never gives null; its text is copied before another call can change it.
            throw .notStarted("the agent could not be started: \(String(cString: strerror(fault)).lowercased())")
        }
        return pid
    }
}
