internal import Glibc
internal import Synchronization

/// Used by a process that `Daemon` started: reports once, to the process that started it, how starting went.
public final class Readiness: Sendable {
    static let ready = UInt8(ascii: "+")
    private let descriptor: Mutex<Int32?>

    /// Nil where this process was not started so. The variable is taken out of this process's environment, so call it
    /// before there are other threads.
    public init?(environment: [String: String]) {
        unsetenv(Daemon.variable)
        guard let text = environment[Daemon.variable], let number = Int32(text), number > STDERR_FILENO,
            let found = SocketFile(descriptor: number), found.isSocket, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        descriptor = Mutex(number)
    }

    deinit { end() }

    /// Reports that the agent answers from now on.
    public func ready() {
        tell([Self.ready])
        end()
    }

    /// It will not, and is about to end; in words that are safe to show.
    public func failed(_ reason: String) { tell(Array(reason.utf8)) }

    private func tell(_ bytes: [UInt8]) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            // The array lives through the call and its own count is given. Who started us may be gone by now.
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private func end() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }
}
