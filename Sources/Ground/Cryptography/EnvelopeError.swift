/// Why an envelope did not open. For the user and our own log only: a bank that learnt it could use us to decrypt
/// envelopes (see `WeakButRequired`). Two errors with the same code are equal.
package struct EnvelopeError: Error, Sendable, Equatable {
    package enum Code: Sendable {
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
        /// The payload is longer than the limit.
        case tooLarge
        /// No memory, or OpenSSL refused.
        case failed
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
