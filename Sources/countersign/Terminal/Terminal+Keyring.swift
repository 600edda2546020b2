import CTerminal
import Dispatch
import Glibc

extension Terminal {
    /// Prints the reason for the wait while `wait` runs. Keys typed here meanwhile are neither shown nor kept: they
    /// were meant for the other window, and may be a password.
    func awaiting<R>(_ words: String, _ wait: () throws -> R) rethrows -> R {
        guard isInteractive else { return try wait() }
        let tty = Self.hush()
        defer { Self.endHush(tty) }
        countersign_terminal_asks(STDERR_FILENO)
        Self.say(words + " (ctrl-c cancels) …", newline: false)
        defer {
            countersign_terminal_asks(-1)
            Self.say("")
        }
        return try wait()
    }

    /// Like `awaiting`, for an agent that may have to wait for the keyring. Prints the reason only if the wait is
    /// longer than usual.
    func awaitingAgent<R>(_ wait: () async throws -> R) async rethrows -> R {
        guard isInteractive else { return try await wait() }
        let tty = Self.hush()
        defer { Self.endHush(tty) }
        let notice = DispatchWorkItem {
            Self.say("The agent waits; the keyring may be asking in a window of its own (ctrl-c cancels) …")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: notice)
        defer { notice.cancel() }
        return try await wait()
    }

    /// Stops the echo of the controlling terminal; nil if it is not ours.
    private static func hush() -> Int32? {
        let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return nil }
        // In the background we may not change the terminal.
        guard tcgetpgrp(tty) == getpgrp(), countersign_terminal_hush(tty) == 0 else {
            close(tty)
            return nil
        }
        return tty
    }

    private static func endHush(_ tty: Int32?) {
        guard let tty else { return }
        countersign_terminal_end_hush(tty)
        close(tty)
    }
}
