import CTerminal
import Display
import Glibc

// The place of a line shows its author, so no terminal may break a line by itself.

extension Terminal {
    /// The columns of the terminal that is seen: 80 if unknown, at least 24.
    static var columns: Int {
        let columns = max(
            countersign_terminal_columns(STDERR_FILENO),
            countersign_terminal_columns(STDERR_FILENO) == 0 ? countersign_terminal_columns(STDOUT_FILENO) : 0)
        return columns == 0 ? 80 : max(24, Int(columns))
    }

    /// A message, or a result for a person: where `descriptor` is a terminal, in lines that it need not break. Else as it is.
    static func fitting(_ text: String, on descriptor: Int32) -> String {
        guard isatty(descriptor) == 1 else { return text }
        let columns = Int(countersign_terminal_columns(descriptor))
        return TextLines.fitting(text, width: columns == 0 ? 80 : columns).joined(separator: "\n")
    }

    /// A result for a person on standard output.
    static func seen(_ text: String) -> String {
        isatty(STDOUT_FILENO) == 1 ? drawable(fitting(text, on: STDOUT_FILENO)) : text
    }

    /// Text of a `DisplayText` with lines of its own, for standard output. On a terminal each is set off by a frame.
    static func framedLines(_ text: String) -> String {
        guard isatty(STDOUT_FILENO) == 1 else { return text }
        return TextLines.of(text, width: columns - 2).map { $0.isEmpty ? "│" : "│ " + $0 }.joined(separator: "\n")
    }
}
