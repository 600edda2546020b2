/// Why an envelope did not open. For the user and our own log only: a bank that learnt it could use us to decrypt
/// envelopes (see `WeakButRequired`).
package enum EnvelopeError: Error, Sendable, Equatable {
    /// `algorithm` is there and not `AES-256-CBC`.
    case foreignAlgorithm
    /// `key`, `iv` or `data` has no content.
    case empty
    case badBase64
    /// `key` is no RSA block for this key: wrong length, wrong padding, another recipient.
    case badKeyBlock
    case badIVBlock
    /// `key` decrypts, but not to 32 bytes.
    case keyLength
    /// `iv` decrypts, but not to 16 bytes.
    case ivLength
    /// `data` is not whole AES blocks, or the padding in the last one is wrong.
    case badPadding
    /// The payload is longer than the limit, in bytes.
    case tooLarge(Int)
    /// No memory, or OpenSSL refused; nil if the key itself could not be used.
    case failed(CryptoError?)

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .foreignAlgorithm: "the algorithm is not AES-256-CBC"
        case .empty: "a part of the envelope is empty"
        case .badBase64: "not Base64"
        case .badKeyBlock: "key is not encrypted for this connection"
        case .badIVBlock: "iv is not encrypted for this connection"
        case .keyLength: "the AES key is not 32 bytes long"
        case .ivLength: "the iv is not 16 bytes long"
        case .badPadding: "the data does not decrypt"
        case .tooLarge(let limit): "longer than \(limit) bytes"
        case .failed(let cause): cause?.reason ?? "the key could not be used"
        }
    }
}
