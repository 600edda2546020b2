package import Basics
package import Keys

/// An RSA private key that can be used but not read.
package protocol PrivateKey: AnyObject, Sendable {
    /// SubjectPublicKeyInfo as PEM: 64 characters a line, LF, final LF (saltedge-v1 section 4.1).
    var publicKeyPEM: String { get }
    /// RSASSA-PKCS1-v1_5 with SHA-256 over `message` (RFC 8017 section 8.2).
    func sign(_ message: [UInt8]) throws -> [UInt8]
    /// RSAES-PKCS1-v1_5 decryption of one block (RFC 8017 section 7.2), which the bank protocol requires.
    func decrypt(_ block: [UInt8]) throws -> any Secret
}

extension SecretKind where Value == any PrivateKey {
    /// An RSA key of this program, kept as PKCS#8.
    package static var rsa: SecretKind {
        SecretKind(open: { try RSAPrivateKey(pkcs8: $0) }) { key in
            guard let key = key as? RSAPrivateKey else {
                throw CryptoError.malformedKey("only a key that this program made can be stored")
            }
            return try key.pkcs8()
        }
    }
}
