import Client
import CTerminal
import Glibc

extension Terminal {
    /// The path of this process's terminal: of standard input or standard error, or else from `GPG_TTY`.
    static var name: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        for descriptor in [STDIN_FILENO, STDERR_FILENO] where ttyname_r(descriptor, &buffer, buffer.count) == 0 {
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return Environment.value("GPG_TTY")
    }

    /// Restores the terminal after `body`, and if a signal ends the program meanwhile. For other programs that use the
    /// terminal.
    static func keepingState<R>(_ body: () throws -> R) rethrows -> R {
        let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return try body() }
        defer { close(tty) }
        // The program gets the terminal as the person had it.
        countersign_terminal_show()
        // In the background we may not change the terminal.
        guard tcgetpgrp(tty) == getpgrp(), countersign_terminal_keep(tty) == 0 else { return try body() }
        defer { countersign_terminal_restore() }
        // Keys from before the question are no answer to it.
        tcflush(tty, TCIFLUSH)
        return try body()
    }
}
