internal import COpenSSL

/// Random bytes that need not stay secret: nonces, salts, names. For secrets see `LockedBytes.random`.
package enum RandomBytes {
    /// `count` random bytes. Throws `failed` when OpenSSL has no randomness.
    package static func make(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Writes `count` bytes to the array, which has as many.
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw CryptoError.openSSL(.failed("no randomness")) }
        return bytes
    }

    /// A random UUID (RFC 9562, version 4) in lower case.
    package static func uuid() throws -> String {
        var bytes = try make(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
