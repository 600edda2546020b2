internal import Glibc
internal import Synchronization

/// Reports, from a process that `Daemon` started to the process that started it, whether starting went well. Reports once.
package final class Readiness: Sendable {
    static let ready = UInt8(ascii: "+")
    private let descriptor: Mutex<Int32?>

    /// Nil when `Daemon` did not start this process. Removes the variable from this process's environment, so call it
    /// before other threads start.
    package init?(environment: [String: String]) {
        unsetenv(Daemon.variable)
        guard let text = environment[Daemon.variable], let number = Int32(text), number > STDERR_FILENO,
            let found = SocketFile(descriptor: number), found.isSocket, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        descriptor = Mutex(number)
    }

    deinit { end() }

    /// Reports that the agent answers from now on.
    package func ready() {
        tell([Self.ready])
        end()
    }

    /// Reports that the agent cannot start and is about to end, with a reason that is safe to show.
    package func failed(_ reason: String) { tell(Array(reason.utf8)) }

    private func tell(_ bytes: [UInt8]) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            // The array lives through the call and its own count is given. The process that started us may be gone by now.
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
