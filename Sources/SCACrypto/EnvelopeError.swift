/// Why an envelope did not open. For the user and our own log only: a bank never hears of it. Equality is by code alone.
public struct EnvelopeError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case foreignAlgorithm, empty, badBase64, badKeyBlock, badIVBlock, keyLength, ivLength, badPadding, tooLarge,
                failed
        }
        private var kind: Kind

        /// `algorithm` is there and not `AES-256-CBC`.
        public static let foreignAlgorithm = Code(kind: .foreignAlgorithm)
        /// `key`, `iv` or `data` has no content.
        public static let empty = Code(kind: .empty)
        public static let badBase64 = Code(kind: .badBase64)
        /// `key` is no RSA block for this key: wrong length, wrong padding, another recipient.
        public static let badKeyBlock = Code(kind: .badKeyBlock)
        public static let badIVBlock = Code(kind: .badIVBlock)
        /// `key` decrypts, but not to 32 bytes.
        public static let keyLength = Code(kind: .keyLength)
        /// `iv` decrypts, but not to 16 bytes.
        public static let ivLength = Code(kind: .ivLength)
        /// `data` is not whole AES blocks, or the padding in the last one is wrong.
        public static let badPadding = Code(kind: .badPadding)
        /// The payload is longer than the limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// No memory, or OpenSSL refused.
        public static let failed = Code(kind: .failed)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
