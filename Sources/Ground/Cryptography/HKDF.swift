package import Basics
internal import COpenSSL

/// HKDF with SHA-256 (RFC 5869): makes a separate key for each purpose from one secret.
package enum HKDF {
    /// `count` bytes, at most 8160. `info` (UTF-8) names the purpose; an empty salt means 32 zero bytes, as the RFC
    /// says. Throws `badLength` for more bytes.
    package static func derive(_ secret: any Secret, salt: [UInt8], info: String, count: Int) throws -> LockedBytes {
        try derive(secret, salt: salt, info: Array(info.utf8), count: count)
    }

    static func derive(_ secret: any Secret, salt: [UInt8], info: [UInt8], count: Int) throws -> LockedBytes {
        guard (1...255 * 32).contains(count) else { throw CryptoError.badLength("HKDF gives 1 to 8160 bytes") }
        return try LockedBytes(count: count) { output in
            guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
                throw CryptoError.openSSL(.outOfMemory("no memory"))
            }
            defer { EVP_PKEY_CTX_free(context) }
            var length = output.count
            // All inputs are copied into the context, which wipes them when freed; `length` bytes are written.
            let done =
                EVP_PKEY_derive_init(context) == 1
                && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1
                && secret.withBytes({ EVP_PKEY_CTX_set1_hkdf_key(context, $0.bytes, Int32($0.count)) }) == 1
                && (info.isEmpty || EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1)
                && EVP_PKEY_derive(context, output.bytes, &length) == 1
            guard done, length == output.count else { throw CryptoError.openSSL(.failed("HKDF failed")) }
        }
    }
}
