internal import COpenSSL

/// Owns one EVP_PKEY that holds an RSA key of at least 2048 bits.
///
/// In a process that `ProcessHardening` prepared, the whole key lies in locked memory, and so do the copies of p and q
/// that OpenSSL's Montgomery contexts keep (OpenSSL's own secure heap would leave those out). OpenSSL wipes the private
/// numbers when it frees them.
final class KeyHandle: Sendable {
    // Unsafe because of the pointer. It is freed in deinit only, and OpenSSL lets any number of threads use a key that
    // no thread changes, as here.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Contexts for decryption, and for signing.
    private let decryptors = ContextPool()
    private let signers = ContextPool()

    /// Takes over the caller's reference, and frees it also when this throws `notRSA` or `weakKey`.
    init(taking pointer: OpaquePointer) throws {
        self.pointer = pointer
        guard EVP_PKEY_is_a(pointer, "RSA") == 1 else { throw CryptoError.notRSA }
        guard EVP_PKEY_get_bits(pointer) >= 2048 else {
            throw CryptoError.weakKey("the RSA key has fewer than 2048 bits")
        }
    }

    deinit { EVP_PKEY_free(pointer) }

    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Length of the modulus, and so of a block and of a signature, in bytes.
    var blockSize: Int { Int(EVP_PKEY_get_size(pointer)) }

    /// SubjectPublicKeyInfo as PEM.
    func publicPEM() throws -> String {
        var output: UnsafeMutablePointer<UInt8>?
        // OpenSSL allocates `length` bytes, freed below.
        let length = i2d_PUBKEY(pointer, &output)
        guard length > 0, let output else { throw CryptoError.openSSL(.failed("the public key cannot be written")) }
        defer { CRYPTO_free(output, #file, #line) }
        return PEM.text(label: "PUBLIC KEY", der: Array(UnsafeBufferPointer(start: output, count: Int(length))))
    }

    /// Lends a context that `setUp` prepared for decryption, to one caller at a time. `setUp` throws if it cannot.
    func withDecryptor<R>(
        setUp: (OpaquePointer) throws -> Void, _ body: (OpaquePointer) throws -> R
    ) throws -> R { try decryptors.lend(of: pointer, setUp: setUp, body) }

    /// As `withDecryptor`, for signing.
    func withSigner<R>(
        setUp: (OpaquePointer) throws -> Void, _ body: (OpaquePointer) throws -> R
    ) throws -> R { try signers.lend(of: pointer, setUp: setUp, body) }
}
