import Crypto
import CryptoExtras
import FoundationEssentials

/// The access token of v2 as it is in the redirect (saltedge-v2 section 4.4).
enum SealedToken {
    /// Base64 of the RSA-encrypted object around the token.
    static func seal(_ token: String, publicKey: String, style: Base64Text.Style) throws -> String {
        let recipient = try _RSA.Encryption.PublicKey(pemRepresentation: publicKey)
        let payload: JSONValue = ["access_token": .string(token)]
        let block = try recipient.encrypt(Data(payload.text.utf8), padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
        return Base64Text.standard(block, style: style)
    }
}
