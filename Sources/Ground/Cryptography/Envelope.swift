package import Basics

/// A payload that a bank encrypted for one connection, or this program for a bank (saltedge-v1 section 7, saltedge-v2
/// section 4.1): AES-256-CBC, with key and iv in RSA blocks for the recipient. It does not prove its author.
package struct Envelope: Sendable, Equatable {
    /// v1 only; absent, or `AES-256-CBC`.
    package var algorithm: String?
    /// Base64 as received; white space anywhere is allowed.
    package var key: String
    /// As `key`.
    package var iv: String
    /// As `key`.
    package var data: String

    package init(algorithm: String?, key: String, iv: String, data: String) {
        self.algorithm = algorithm
        self.key = key
        self.iv = iv
        self.data = data
    }

    /// The payload, at most `limit` bytes. Everything that needs no private key is checked first. From then on each
    /// envelope takes the same steps after every kind of failure, since differences in time would help an attacker to
    /// decrypt it.
    package func open(with key: any PrivateKey, limit: Int = 256 * 1024) throws(EnvelopeError) -> LockedBytes {
        guard algorithm == nil || algorithm == "AES-256-CBC" else {
            throw .foreignAlgorithm
        }
        let keyBlock = try Self.decode(self.key)
        let ivBlock = try Self.decode(self.iv)
        let data = try Self.decode(self.data)
        guard data.count <= limit + 16 else { throw .tooLarge(limit) }
        guard data.count.isMultiple(of: 16) else { throw .badPadding }

        let aesKey = try Self.decrypt(keyBlock, with: key, length: 32, .badKeyBlock, .keyLength)
        let aesIV = try Self.decrypt(ivBlock, with: key, length: 16, .badIVBlock, .ivLength)
        var payload: LockedBytes?
        do {
            payload = try WeakButRequired.cbcDecrypt(data, key: aesKey.secret, iv: aesIV.secret)
        } catch {
            let error = error as? CryptoError
            guard case .decryptionFailed = error else { throw .failed(error) }
        }
        if let fault = aesKey.fault ?? aesIV.fault { throw fault }
        guard let payload else { throw .badPadding }
        guard payload.count <= limit else { throw .tooLarge(limit) }
        return payload
    }

    /// Encrypts with a new random key and iv; one line of Base64 each, no `algorithm` (saltedge-v2 section 4.1).
    package static func seal(_ payload: any Secret, for recipient: RSAPublicKey) throws -> Envelope {
        let key = try LockedBytes.random(32)
        let iv = try LockedBytes.random(16)
        return Envelope(
            algorithm: nil,
            key: Base64.encode(try key.withBytes(recipient.encrypt)),
            iv: Base64.encode(try iv.withBytes(recipient.encrypt)),
            data: Base64.encode(try WeakButRequired.cbcEncrypt(payload, key: key, iv: iv)))
    }

    private static func decode(_ text: String) throws(EnvelopeError) -> [UInt8] {
        guard let bytes = Base64.decode(text) else { throw .badBase64 }
        guard !bytes.isEmpty else { throw .empty }
        return bytes
    }

    /// The content of an RSA block. When it does not decrypt, or has another length: random bytes instead, and the
    /// fault.
    private static func decrypt(
        _ block: [UInt8], with key: any PrivateKey, length: Int, _ undecrypted: EnvelopeError, _ misfit: EnvelopeError
    ) throws(EnvelopeError) -> (secret: any Secret, fault: EnvelopeError?) {
        let decoy: LockedBytes
        do {
            decoy = try LockedBytes.random(length)
        } catch {
            throw .failed(error as? CryptoError)
        }
        do {
            let content = try key.decrypt(block)
            return content.count == length ? (content, nil) : (decoy, misfit)
        } catch {
            switch error as? CryptoError {
            case .badLength, .decryptionFailed: return (decoy, undecrypted)
            case let cause: throw .failed(cause)
            }
        }
    }
}
