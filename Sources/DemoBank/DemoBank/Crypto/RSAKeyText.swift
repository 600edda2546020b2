import Crypto
import CryptoExtras
import FoundationEssentials

/// RSA keys as PEM text.
enum RSAKeyText {
    /// A new private key of 2048 bits (PKCS#8).
    static func makePrivateKey() throws -> String {
        try _RSA.Encryption.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
    }

    /// The public half, SubjectPublicKeyInfo.
    static func publicKey(of privateKey: String) throws -> String {
        try _RSA.Encryption.PrivateKey(pemRepresentation: privateKey).publicKey.pemRepresentation
    }

    /// The key as PEM with real line breaks; nil when the text is no RSA public key that this bank can use. Like the
    /// Java server, this accepts the two characters `\n` that double escaping leaves (saltedge-v1 section 4.1).
    static func normalizedPublicKey(_ text: String) -> String? {
        let pem = text.replacing("\\r\\n", with: "\n").replacing("\\n", with: "\n")
        guard pem.utf8.count <= 4096, (try? _RSA.Signing.PublicKey(pemRepresentation: pem)) != nil else { return nil }
        return pem
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    static func isValid(signature: Data, over message: Data, publicKey: String) -> Bool {
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: publicKey) else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
    }
}
