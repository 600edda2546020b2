import Crypto
import CryptoExtras
import FoundationEssentials

/// The sealed bundle of both protocols (saltedge-v1 section 7, saltedge-v2 section 4.1): a fresh AES-256 key and iv, each encrypted for
/// the recipient by RSAES-PKCS1-v1_5, and the payload in AES-256-CBC.
struct Envelope: Sendable {
    var key: String
    var iv: String
    var data: String

    /// How to damage an envelope, when a test asks for that.
    enum Corruption: String, Sendable {
        /// The RSA block of the key is cut short.
        case key
        /// The iv decrypts to 15 bytes.
        case iv
        /// The ciphertext lacks its last byte.
        case data
        /// The plaintext is not JSON.
        case json
        /// The envelope names another connection.
        case connectionID = "connection_id"
    }

    /// Seals a payload. One known provider uses the constant key for everything that it sends (saltedge-v2 section
    /// 4.1).
    static func seal(
        _ payload: String, publicKey: String, style: Base64Text.Style, constantKey: Bool = false,
        corruption: Corruption? = nil
    ) throws -> Envelope {
        let recipient = try _RSA.Encryption.PublicKey(pemRepresentation: publicKey)
        let keyBytes = constantKey ? Array(SHA256.hash(data: [UInt8]())) : RandomText.bytes(32)
        let ivBytes = RandomText.bytes(16)
        let plaintext = corruption == .json ? "this is not JSON {" : payload
        let ciphertext = try AES._CBC.encrypt(
            Data(plaintext.utf8), using: SymmetricKey(data: keyBytes), iv: AES._CBC.IV(ivBytes: ivBytes))

        let sealedKey = try recipient.encrypt(Data(keyBytes), padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
        let shownIV = corruption == .iv ? Array(ivBytes.dropLast()) : ivBytes
        let sealedIV = try recipient.encrypt(Data(shownIV), padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
        return Envelope(
            key: Base64Text.standard(corruption == .key ? sealedKey.dropLast(3) : sealedKey, style: style),
            iv: Base64Text.standard(sealedIV, style: style),
            data: Base64Text.standard(corruption == .data ? ciphertext.dropLast() : ciphertext, style: style))
    }
}
