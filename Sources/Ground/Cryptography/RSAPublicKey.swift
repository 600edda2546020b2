internal import COpenSSL

/// The RSA public key of a bank or of a connection, of at least 2048 bits.
package struct RSAPublicKey: Sendable {
    /// SubjectPublicKeyInfo: 64 characters a line, LF, final LF, also if the key was read from another form.
    package let pem: String
    private let handle: KeyHandle

    /// Length of the modulus in bits.
    package var bits: Int { handle.bits }

    /// Reads PEM: SubjectPublicKeyInfo (`PUBLIC KEY`) or PKCS#1 (`RSA PUBLIC KEY`), with LF, CRLF or the two-character
    /// sequences of double escaping (saltedge-v2 section 3.1). Throws `malformedKey`, `notRSA`, `weakKey`.
    package init(pem: String) throws {
        guard let parsed = PEM(pem) else { throw CryptoError.malformedKey("not a public key") }
        let key = parsed.der.withUnsafeBytes { bytes -> OpaquePointer? in
            // Reads at most `count` bytes and moves `position` behind the last one read; the key's one reference is
            // ours.
            var position: UnsafePointer<UInt8>? = bytes.bytes
            let key =
                switch parsed.label {
                case "PUBLIC KEY": d2i_PUBKEY(nil, &position, bytes.count)
                case "RSA PUBLIC KEY": d2i_PublicKey(EVP_PKEY_RSA, nil, &position, bytes.count)
                default: OpaquePointer?.none
                }
            guard let key, position == bytes.bytes + bytes.count else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let key else { throw CryptoError.openSSL(.malformedKey("not a public key")) }
        handle = try KeyHandle(taking: key)
        self.pem = try handle.publicPEM()
    }

    /// One block of RSAES-PKCS1-v1_5. Throws `badLength` for more bytes than the modulus less 11.
    package func encrypt(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        try WeakButRequired.rsaEncrypt(bytes, for: handle)
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        defer { ERR_clear_error() }
        // Reads both arrays within their lengths.
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
