import CPlatform
import Glibc

/// A spawned Assuan server and our end of the line to it. When the value goes, the process is killed and reaped.
///
/// The line is a socket, where a pipe could be opened by other processes of the same user through `/proc/PID/fd` and the
/// PIN read from it; and a write to a socket can be told to raise no SIGPIPE.
struct AssuanProcess: ~Copyable {
    let pid: pid_t
    let socket: Int32
    /// Told of the end of the socket.
    private let cancellation: PinentryCancellation?

    /// Looks for `program` in PATH when it has no slash. Throws `PinentryError` `missing`.
    init(_ program: String, environment: [String: String], cancellation: PinentryCancellation? = nil) throws {
        var ends: [Int32] = [-1, -1]
        // Two descriptors into an array of two.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw PinentryError(.missing, "no connection to a pinentry could be made: \(Self.words(errno))")
        }
        let (ours, theirs) = (ends[0], ends[1])
        defer { close(theirs) }

        // The strings are ours and live until after the spawn, which copies them.
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in arguments + variables { free(string) } }
        var pid = pid_t()
        let fault = countersign_spawn(&pid, program, &arguments, &variables, [theirs, theirs, -1], 3, 0)
        guard fault == 0 else {
            close(ours)
            throw PinentryError(.missing, "the pinentry could not be started: \(Self.words(fault))")
        }
        self.pid = pid
        socket = ours
        self.cancellation = cancellation
    }

    deinit {
        cancellation?.end()
        close(socket)
        // Our own child, not yet waited for, so the number is still its own.
        kill(pid, SIGKILL)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
