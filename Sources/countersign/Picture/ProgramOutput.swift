import CPlatform
import Glibc

/// Another program's standard output, within limits of size and time.
enum ProgramOutput {
    enum Result {
        /// There is no such program in PATH.
        case missing
        /// It ended with another code than 0, or by a signal, or was ended for its time or size.
        case failed
        case bytes([UInt8])
    }

    /// Runs it without input, and without a word of its own on standard error.
    static func of(_ program: String, _ arguments: [String], most: Int, patience: Duration = .seconds(10)) -> Result {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failed }
        defer { close(ends[0]) }
        // The child gets its end as standard output, and nothing else.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The strings live until after the spawn, which copies them.
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let outcome = countersign_spawn(&pid, program, &words, environ, [-1, ends[1], -1], 3, 0)
        close(ends[1])
        guard outcome == 0 else { return outcome == ENOENT ? .missing : .failed }
        let bytes = output(of: ends[0], most: most, until: .now + patience)
        // It may serve the clipboard and go on for ever; of what was read too little, nothing is used.
        if bytes == nil { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard let bytes, status == 0 else { return .failed }
        return .bytes(bytes)
    }

    /// All up to the end; nil when it is too much, or does not come in time.
    private static func output(of pipe: Int32, most: Int, until end: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let left = max(0, (end - .now) / .milliseconds(1))
            var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            // As many bytes as the buffer has, used only inside the call.
            let count = piece.withUnsafeMutableBytes { read(pipe, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= most else { return nil }
        }
    }
}
