package import Basics
internal import COpenSSL

/// An RSA private key of at least 2048 bits in OpenSSL's memory, made by OpenSSL. Any number of threads may use it at
/// once.
package final class RSAPrivateKey: PrivateKey {
    /// SubjectPublicKeyInfo: 64 characters a line, LF, final LF (saltedge-v1 section 4.1).
    package let publicKeyPEM: String
    private let handle: KeyHandle

    private init(_ handle: KeyHandle) throws {
        self.handle = handle
        publicKeyPEM = try handle.publicPEM()
    }

    /// A new key. Throws `weakKey` below 2048 bits.
    package static func generate(bits: Int = 2048) throws -> RSAPrivateKey {
        guard bits >= 2048 else { throw CryptoError.weakKey("the RSA key has fewer than 2048 bits") }
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else {
            throw CryptoError.openSSL(.outOfMemory("no memory"))
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        // The new key's one reference goes to the handle.
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw CryptoError.openSSL(.failed("no RSA key could be made")) }
        return try RSAPrivateKey(KeyHandle(taking: key))
    }

    /// Reads PKCS#8 DER (RFC 5958). Throws `malformedKey`, `notRSA`, `weakKey`.
    package convenience init(pkcs8: any Secret) throws {
        let key = pkcs8.withBytes { bytes -> OpaquePointer? in
            // Reads at most `count` bytes and moves `position` behind the last one read; the key's one reference is
            // ours.
            var position: UnsafePointer<UInt8>? = bytes.bytes
            guard let key = d2i_AutoPrivateKey(nil, &position, bytes.count) else { return nil }
            guard position == bytes.bytes + bytes.count else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let key else { throw CryptoError.openSSL(.malformedKey("not a private key")) }
        try self.init(KeyHandle(taking: key))
    }

    /// Reads PEM with the label `PRIVATE KEY`. For tests and fixtures only, since the text cannot be wiped.
    package convenience init(pem: String) throws {
        guard var parsed = PEM(pem), parsed.label == "PRIVATE KEY" else {
            throw CryptoError.malformedKey("not a private key")
        }
        try self.init(pkcs8: LockedBytes(wiping: &parsed.der))
    }

    /// PKCS#8 DER, to be sealed and stored.
    package func pkcs8() throws -> LockedBytes {
        // Ours to free; freeing it wipes the private numbers that it holds.
        guard let info = EVP_PKEY2PKCS8(handle.pointer) else {
            throw CryptoError.openSSL(.failed("the private key cannot be written"))
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        let length = i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        guard length > 0 else { throw CryptoError.openSSL(.failed("the private key cannot be written")) }
        return try LockedBytes(count: Int(length)) { buffer in
            // Writes `length` bytes, as just counted.
            var position: UnsafeMutablePointer<UInt8>? = buffer.bytes
            guard i2d_PKCS8_PRIV_KEY_INFO(info, &position) == length else {
                throw CryptoError.openSSL(.failed("the private key cannot be written"))
            }
        }
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256. Throws `failed`.
    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        let digest = Digest.sha256(message)
        return try handle.withSigner { context in
            guard EVP_PKEY_sign_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
                EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
            else { throw CryptoError.openSSL(.failed("signing cannot be started")) }
        } _: { context in
            var signature = [UInt8](repeating: 0, count: handle.blockSize)
            var length = signature.count
            // Reads the digest, of SHA-256's 32 bytes; writes at most `length` bytes.
            guard EVP_PKEY_sign(context, &signature, &length, digest, digest.count) == 1, length == signature.count
            else { throw CryptoError.openSSL(.failed("signing failed")) }
            return signature
        }
    }

    /// Throws `badLength` unless the block is as long as the modulus, `decryptionFailed` when its padding is wrong.
    package func decrypt(_ block: [UInt8]) throws -> any Secret {
        try WeakButRequired.rsaDecrypt(block, with: handle)
    }
}
