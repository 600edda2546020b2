import Basics
import CPlatform
import Glibc

/// A running Assuan server and our end of the connection to it. The end of this value kills and reaps the process.
///
/// The connection is a socket, because other processes of the same user could open a pipe through `/proc/PID/fd` and
/// read the PIN, and because a write to a socket need not raise SIGPIPE.
struct AssuanProcess: ~Copyable {
    let pid: pid_t
    let socket: Int32
    /// Learns when the socket is closed.
    private let cancellation: PinentryCancellation?

    /// Starts `program`, which is looked for in PATH when it has no slash. Throws `PinentryError` `missing`.
    init(_ program: String, environment: [String: String], cancellation: PinentryCancellation? = nil) throws {
        var ends: [Int32] = [-1, -1]
        // Two descriptors into an array of two.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw PinentryError.missing("no connection to a pinentry could be made: \(Self.words(errno))")
        }
        let (ours, theirs) = (ends[0], ends[1])
        defer { close(theirs) }

        var pid = pid_t()
        let fault = ArgumentVector.with([program]) { arguments in
            ArgumentVector.with(environment.map { "\($0)=\($1)" }) { variables in
                countersign_spawn(&pid, program, arguments, variables, [theirs, theirs, -1], 3, 0)
            }
        }
        guard fault == 0 else {
            close(ours)
            throw PinentryError.missing("the pinentry could not be started: \(Self.words(fault))")
        }
        self.pid = pid
        socket = ours
        self.cancellation = cancellation
    }

    deinit {
        cancellation?.end()
        close(socket)
        // A child that was not reaped yet keeps its process id, so no other process can have it.
        kill(pid, SIGKILL)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
