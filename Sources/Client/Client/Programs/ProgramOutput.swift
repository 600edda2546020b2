import Basics
import CPlatform
import Glibc

/// Another program's standard output, with limits on size and time.
package enum ProgramOutput {
    package enum Result {
        /// PATH has no such program.
        case missing
        /// It exited with another code than 0, or by a signal, or exceeded a limit.
        case failed
        case bytes([UInt8])
    }

    /// Runs a program, and hides its standard error.
    ///
    /// - Parameters:
    ///   - name: the name by which the program is started; its own by default.
    ///   - input: the descriptor of its standard input; none by default.
    package static func of(
        _ program: String, as name: String? = nil, _ arguments: [String], input: Int32 = -1, most: Int,
        patience: Duration = .seconds(10)
    ) -> Result {
        switch whole(program, as: name, arguments, input: input, most: most, patience: patience) {
        case .missing: .missing
        case .ended(0, let bytes): .bytes(bytes)
        case .ended, .lost: .failed
        }
    }

    package enum End {
        /// PATH has no such program.
        case missing
        /// It ended by a signal, or exceeded a limit.
        case lost
        case ended(Int32, [UInt8])
    }

    /// The same for a program whose output counts whatever its exit code.
    package static func whole(
        _ program: String, as name: String? = nil, _ arguments: [String], input: Int32 = -1, most: Int,
        patience: Duration = .seconds(10)
    ) -> End {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .lost }
        defer { close(ends[0]) }
        // The child gets its end only as standard output.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var pid = pid_t()
        let outcome = ArgumentVector.with([name ?? program] + arguments) {
            countersign_spawn(&pid, program, $0, environ, [input, ends[1], -1], 3, 0)
        }
        close(ends[1])
        guard outcome == 0 else { return outcome == ENOENT ? .missing : .lost }
        let end = ContinuousClock.now + patience
        let bytes = all(of: ends[0], most: most, until: end)
        // The program may run for ever, and output that was cut off is not used.
        if bytes == nil { kill(pid, SIGKILL) }
        let status = status(of: pid, until: end)
        guard let bytes, let status, status & 0x7F == 0 else { return .lost }
        return .ended(status >> 8 & 0xFF, bytes)
    }

    /// How the program ended; nil if that cannot be known. A program that closed its output but goes on is killed at `end`.
    private static func status(of pid: pid_t, until end: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { return status }
            if ended < 0, errno != EINTR { return nil }
            // Sent again until it has ended.
            if .now >= end { kill(pid, SIGKILL) }
            usleep(2000)
        }
    }

    /// Reads to the end; nil if that is too long or takes too long.
    static func all(of pipe: Int32, most: Int, until end: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let left = max(0, (end - .now) / .milliseconds(1))
            var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            // Reads at most the buffer's size, and the pointer is used only inside the call.
            let count = piece.withUnsafeMutableBytes { read(pipe, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= most else { return nil }
        }
    }
}
