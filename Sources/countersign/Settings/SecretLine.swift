import Basics
import Glibc
import Cryptography

/// Reads one line straight into locked memory.
enum SecretLine {
    /// The longest PIN or passphrase that is read, in bytes.
    static let longest = 1024

    /// Editors write it at the beginning of a file, where nobody sees it.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Nil if the line is empty or the input has ended. Throws a usage failure if it begins with a byte order mark, which would
    /// make another PIN of it.
    static func read(from descriptor: Int32, upTo longest: Int = longest) throws -> LockedBytes? {
        let line = try LockedBytes(capacity: longest) { bytes in
            var length = 0
            var byte: UInt8 = 0
            while true {
                // One byte into a variable of one byte.
                let count = Glibc.read(descriptor, &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count != 1 || byte == 10 { break }
                if length < bytes.count { bytes[length] = byte }
                length += 1
            }
            guard length <= bytes.count else {
                throw Failure.usage("the first line is longer than \(bytes.count) bytes")
            }
            if length > 0, bytes[length - 1] == 13 { length -= 1 }
            guard !bytes[..<length].starts(with: byteOrderMark) else {
                throw Failure.usage(
                    "the first line begins with a byte order mark", hint: "save the file as UTF-8 without one")
            }
            return length
        }
        return line.count > 0 ? line : nil
    }
}
