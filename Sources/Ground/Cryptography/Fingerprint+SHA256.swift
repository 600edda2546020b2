package import Basics
internal import COpenSSL

extension Fingerprint {
    /// SHA-256 over four parts: the label `countersign authorization`, the connection's guid, the item's id and the
    /// decrypted plaintext, each preceded by its length in bytes (8 bytes, big endian).
    package init(connection: String, id: String, plaintext: UnsafeRawBufferPointer) throws {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.openSSL(.outOfMemory("no memory")) }
        defer { EVP_MD_CTX_free(context) }  // wipes its buffers
        func add(_ part: UnsafeRawBufferPointer) -> Bool {
            let length = withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) }
            // Each read stays within its buffer.
            return EVP_DigestUpdate(context, length, length.count) == 1
                && EVP_DigestUpdate(context, part.bytes, part.count) == 1
        }
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1,
            Array("countersign authorization".utf8).withUnsafeBytes(add),
            Array(connection.utf8).withUnsafeBytes(add),
            Array(id.utf8).withUnsafeBytes(add),
            add(plaintext),
            EVP_DigestFinal_ex(context, &digest, nil) == 1,  // writes 32 bytes
            let fingerprint = Fingerprint(bytes: digest)
        else { throw CryptoError.openSSL(.failed("SHA-256 failed")) }
        self = fingerprint
    }
}
