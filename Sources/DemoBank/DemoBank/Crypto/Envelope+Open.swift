import Crypto
import CryptoExtras
import FoundationEssentials

extension Envelope {
    /// The envelope could not be read.
    struct Unreadable: Error {}

    /// Reads the three members; all must be text (saltedge-v2 section 4.1).
    init?(_ value: JSONValue?) {
        guard let key = value?["key"]?.string, let iv = value?["iv"]?.string, let data = value?["data"]?.string else {
            return nil
        }
        self.init(key: key, iv: iv, data: data)
    }

    /// The payload, decrypted with the recipient's private key.
    func open(privateKey: String) throws -> Data {
        let recipient = try _RSA.Encryption.PrivateKey(pemRepresentation: privateKey)
        guard let sealedKey = Base64Text.decodeStandard(key), let sealedIV = Base64Text.decodeStandard(iv),
            let ciphertext = Base64Text.decodeStandard(data)
        else { throw Unreadable() }
        let keyBytes = try recipient.decrypt(sealedKey, padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
        let ivBytes = try recipient.decrypt(sealedIV, padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
        guard keyBytes.count == 32, ivBytes.count == 16 else { throw Unreadable() }
        return try AES._CBC.decrypt(
            ciphertext, using: SymmetricKey(data: keyBytes), iv: AES._CBC.IV(ivBytes: ivBytes))
    }
}
