import CTerminal
import Glibc

extension Terminal {
    /// The path of the terminal that this process was started on: of its input or its error stream, else what `GPG_TTY` says.
    static var name: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        for descriptor in [STDIN_FILENO, STDERR_FILENO] where ttyname_r(descriptor, &buffer, buffer.count) == 0 {
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return Environment.value("GPG_TTY")
    }

    /// Puts the terminal back after `body`, and when a signal ends the program meanwhile: for programs that use it.
    static func keepingState<R>(_ body: () throws -> R) rethrows -> R {
        let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return try body() }
        defer { close(tty) }
        // A program finds the terminal as the person had it.
        countersign_terminal_show()
        // In the background the terminal is not ours to set.
        guard tcgetpgrp(tty) == getpgrp(), countersign_terminal_keep(tty) == 0 else { return try body() }
        defer { countersign_terminal_restore() }
        // What was typed before the question is no answer to it.
        tcflush(tty, TCIFLUSH)
        return try body()
    }
}
