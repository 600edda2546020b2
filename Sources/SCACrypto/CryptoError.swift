internal import COpenSSL

/// Why a cryptographic operation refused. Equality is by code alone.
public struct CryptoError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case malformedKey, notRSA, weakKey, badLength, decryptionFailed, authenticationFailed, outOfMemory, failed
        }
        private var kind: Kind

        /// The bytes or the PEM text are no key.
        public static let malformedKey = Code(kind: .malformedKey)
        /// A key, but of another kind.
        public static let notRSA = Code(kind: .notRSA)
        /// An RSA key of fewer than 2048 bits.
        public static let weakKey = Code(kind: .weakKey)
        /// An argument whose length does not fit.
        public static let badLength = Code(kind: .badLength)
        /// The padding below RSA or AES-CBC was wrong.
        public static let decryptionFailed = Code(kind: .decryptionFailed)
        /// Sealed bytes were changed, or stood under another name or key.
        public static let authenticationFailed = Code(kind: .authenticationFailed)
        /// No memory, or none that may be locked.
        public static let outOfMemory = Code(kind: .outOfMemory)
        /// OpenSSL or the system refused.
        public static let failed = Code(kind: .failed)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// An OpenSSL call refused. Empties this thread's error queue, so that nothing of it lingers.
    static func openSSL(_ code: Code, _ reason: String) -> CryptoError {
        ERR_clear_error()
        return CryptoError(code, reason)
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
