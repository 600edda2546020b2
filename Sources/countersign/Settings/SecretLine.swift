import Basics
import Glibc
import Cryptography

/// Reads one line straight into locked memory.
enum SecretLine {
    /// The longest PIN or passphrase that is read, in bytes.
    static let longest = 1024

    /// Editors write it at the beginning of a file. No PIN begins with it, since no key types it.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The line without a byte order mark. Nil if it is empty or the input has ended.
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
            guard bytes[..<length].starts(with: byteOrderMark) else { return length }
            length -= byteOrderMark.count
            for index in 0..<length { bytes[index] = bytes[index + byteOrderMark.count] }
            return length
        }
        return line.count > 0 ? line : nil
    }
}
