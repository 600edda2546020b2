package import Basics
internal import COpenSSL

/// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
package enum Digest {
    /// SHA-256 of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // Reads `bytes`, writes 32 bytes to the array that has as many.
        SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// SHA-256 of a text, which gives a file a name and protects nothing: 32 bytes. It does not start OpenSSL, which takes a millisecond.
    package static func name(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        // Reads `bytes`, writes 32 bytes to the array that has as many.
        countersign_plain_sha256(bytes, bytes.count, &digest)
        return digest
    }

    /// HMAC-SHA-256 of `message`: 32 bytes. Throws `failed` when OpenSSL refuses.
    package static func hmacSHA256(_ message: [UInt8], key: any Secret) throws -> [UInt8] {
        var mac = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        // Reads both within their lengths, writes 32 bytes.
        let done = key.withBytes {
            HMAC(EVP_sha256(), $0.bytes, Int32($0.count), message, message.count, &mac, &length)
        }
        guard done != nil, length == 32 else { throw CryptoError.openSSL(.failed("HMAC failed")) }
        return mac
    }
}
