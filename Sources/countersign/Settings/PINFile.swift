import Basics
import CTerminal
import Display
import Glibc
import Cryptography

/// `--pin-file`: a PIN for scripts, from a file that nobody else can read, or from the first line of standard input
/// (`-`).
struct PINFile: Sendable {
    let path: String
    /// The word for the file's content in error messages.
    var secret = "PIN"

    /// Whether it is an ordinary file: not a pipe, and not standard input.
    var canBeReadAgain: Bool {
        var status = stat()
        return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads this many lines as secrets. Refuses a file that others can read.
    func lines(_ count: Int) throws -> [LockedBytes] {
        if path == "-" {
            // If standard input is a terminal, the PIN is not echoed.
            _ = countersign_terminal_hide(STDIN_FILENO)
            defer { countersign_terminal_restore() }
            return try (0..<count).map { try line($0, of: STDIN_FILENO) }
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw Failure.usage(
                "the \(secret) file cannot be read: \(String(cString: strerror(errno)).lowercased())",
                hint: "name a file that holds it on its first line")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, ![S_IFDIR, S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) else {
            throw Failure.usage(
                "what is named as the \(secret) file is a directory or a device",
                hint: "name a file that holds it on its first line")
        }
        guard status.st_uid == getuid() || status.st_uid == 0 else {
            throw Failure.usage("the \(secret) file belongs to somebody else")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure.usage("others can read the \(secret) file", hint: "chmod 600 \(DisplayText(path).line)")
        }
        return try (0..<count).map { try line($0, of: file) }
    }

    private func line(_ index: Int, of file: Int32) throws -> LockedBytes {
        guard let line = try SecretLine.read(from: file) else {
            let words = "line \(index + 1) of the \(secret) file is empty"
            guard secret == "PIN" else { throw Failure.usage(words) }
            throw Failure(.locked, words, hint: "line 1 holds the PIN; pin change reads a second line")
        }
        return line
    }
}
