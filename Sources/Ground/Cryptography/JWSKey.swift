internal import COpenSSL

/// The signatures of JSON Web Signatures that can be verified here (RFC 7518 section 3.1). `none` and HMAC do not exist in this type, so
/// no token can choose them (RFC 8725 section 3.1).
///
/// Written here because OpenSSL, which the program has anyway, does nearly all of it. jwt-kit would bring a second library of
/// cryptography, with a longer start and more memory for each command (`Benchmarks/README.md`).
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"

    /// The first half of this hash of `bytes`: `at_hash` of OpenID Connect Core 1.0 section 3.1.3.6.
    package func leftHalfOfHash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        // Reads `bytes`; writes at most EVP_MAX_MD_SIZE bytes, and says how many.
        guard EVP_Digest(bytes, bytes.count, &digest, &length, hash, nil) == 1 else { return [] }
        return Array(digest.prefix(Int(length) / 2))
    }

    /// A constant of OpenSSL, which is never freed.
    fileprivate var hash: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: EVP_sha256()
        case .rs384, .ps384, .es384: EVP_sha384()
        case .rs512, .ps512: EVP_sha512()
        }
    }

    fileprivate var isPSS: Bool { [.ps256, .ps384, .ps512].contains(self) }

    /// Nil for RSA.
    fileprivate var curve: JWSKey.Curve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        default: nil
        }
    }
}

/// A public key that verifies JSON Web Signatures (RFC 7517, RFC 7518 section 6).
package final class JWSKey: Sendable {
    /// `crv`.
    package enum Curve: String, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"

        /// Bytes of a coordinate, and of each half of a signature.
        var size: Int { self == .p256 ? 32 : 48 }

        /// AlgorithmIdentifier of RFC 5480 section 2.1.1: id-ecPublicKey with this curve.
        var identifier: [UInt8] {
            let publicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
            let name: [UInt8] =
                switch self {
                case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
                case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
                }
            return DER.element(0x30, publicKey + name)
        }
    }

    // Unsafe because of the pointer. It is freed in deinit only, and no thread changes the key.
    private nonisolated(unsafe) let pointer: OpaquePointer
    private let curve: Curve?

    /// An RSA key from its two numbers, big-endian. Throws `malformedKey`, and `weakKey` for fewer than 2048 or more than 16384 bits and
    /// for an exponent of less than 3.
    package init(modulus: [UInt8], exponent: [UInt8]) throws {
        let (modulus, exponent) = (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
        guard let last = exponent.last, last & 1 == 1, modulus.last.map({ $0 & 1 == 1 }) == true else {
            throw CryptoError.malformedKey("no RSA key that could sign")
        }
        guard exponent != [1], exponent.count <= 8, (256...2048).contains(modulus.count) else {
            throw CryptoError.weakKey("an RSA key of fewer than 2048 bits, or of an exponent that makes it weak")
        }
        let der = DER.element(0x30, DER.number(modulus) + DER.number(exponent))
        let key = der.withUnsafeBytes { bytes -> OpaquePointer? in
            // Reads at most `count` bytes; the key's one reference is ours.
            var position: UnsafePointer<UInt8>? = bytes.bytes
            return d2i_PublicKey(EVP_PKEY_RSA, nil, &position, bytes.count)
        }
        guard let key else { throw CryptoError.openSSL(.malformedKey("not an RSA key")) }
        guard EVP_PKEY_get_bits(key) >= 2048 else {
            EVP_PKEY_free(key)
            throw CryptoError.weakKey("the RSA key has fewer than 2048 bits")
        }
        pointer = key
        curve = nil
    }

    /// A key on an elliptic curve from its two coordinates. Throws `malformedKey` unless they are a point of the curve.
    package init(_ curve: Curve, x: [UInt8], y: [UInt8]) throws {
        guard x.count == curve.size, y.count == curve.size else {
            throw CryptoError.malformedKey("coordinates of a wrong length")
        }
        // SubjectPublicKeyInfo with an uncompressed point (RFC 5480 section 2.2).
        let der = DER.element(0x30, curve.identifier + DER.element(0x03, [0x00, 0x04] + x + y))
        let key = der.withUnsafeBytes { bytes -> OpaquePointer? in
            // As above. OpenSSL refuses a point that is not on the curve.
            var position: UnsafePointer<UInt8>? = bytes.bytes
            return d2i_PUBKEY(nil, &position, bytes.count)
        }
        guard let key else { throw CryptoError.openSSL(.malformedKey("not a point of the curve")) }
        pointer = key
        self.curve = curve
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Whether this kind of key makes signatures of this algorithm.
    package func fits(_ algorithm: JWSAlgorithm) -> Bool { curve == algorithm.curve }

    /// Whether `signature`, as a JWS has it (RFC 7518 sections 3.3 to 3.5), is one over `message`.
    package func verify(_ signature: [UInt8], of message: [UInt8], _ algorithm: JWSAlgorithm) -> Bool {
        guard fits(algorithm), let signature = curve.map({ Self.der(signature, $0) }) ?? signature,
            let context = EVP_MD_CTX_new()
        else { return false }
        defer { EVP_MD_CTX_free(context) }
        defer { ERR_clear_error() }
        // Belongs to `context`, which frees it.
        var options: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &options, algorithm.hash, nil, pointer) == 1 else { return false }
        if algorithm.isPSS {
            // The salt is as long as the hash (RFC 7518 section 3.5).
            guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        // Reads both arrays within their lengths.
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The two halves of a signature as ECDSA-Sig-Value (RFC 5480 appendix A), which OpenSSL reads. Nil for a wrong length.
    private static func der(_ signature: [UInt8], _ curve: Curve) -> [UInt8]? {
        guard signature.count == 2 * curve.size else { return nil }
        return DER.element(
            0x30, DER.number(Array(signature[..<curve.size])) + DER.number(Array(signature[curve.size...])))
    }
}

/// Writes DER (X.690 section 8.1).
private enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)] + content
        }
    }

    /// A number that is not negative, big-endian.
    static func number(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, (digits.first ?? 0x80) & 0x80 == 0 ? digits : [0] + digits)
    }
}
