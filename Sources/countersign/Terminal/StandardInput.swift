import Glibc
import SCACrypto

/// Standard input, read byte by byte so that no reader takes another's lines: first the PIN, then the link, then a
/// redirected address.
enum StandardInput {
    /// Longer lines are cut to this many bytes, and the rest of them is passed over.
    static let longestLine = 65536

    /// The next line without its line break; nil at the end, and if the question that it answers is taken back.
    static func line(unless recall: QuestionRecall? = nil) -> String? {
        var bytes: [UInt8] = []
        var ended = false
        while true {
            guard recall?.awaitInput(of: STDIN_FILENO) != false, let byte = byte() else {
                ended = true
                break
            }
            if byte == 10 { break }
            if bytes.count < longestLine { bytes.append(byte) }
        }
        if bytes.isEmpty, ended { return nil }
        if bytes.count < longestLine, bytes.last == 13 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next line as a secret; nil at the end, or if it is empty.
    static func secret() throws -> LockedBytes? {
        try SecretLine.read(from: STDIN_FILENO)
    }

    private static func byte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            // One byte into a variable of one byte.
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}
