package import Basics
internal import COpenSSL

/// Why a cryptographic operation failed. Two errors with the same code are equal.
package struct CryptoError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// The bytes or the PEM text are no key.
        case malformedKey
        /// A key, but of another kind.
        case notRSA
        /// An RSA key of fewer than 2048 bits.
        case weakKey
        /// An argument whose length does not fit.
        case badLength
        /// The padding below RSA or AES-CBC was wrong.
        case decryptionFailed
        /// Sealed bytes were changed, or stood under another name or key.
        case authenticationFailed
        /// No memory.
        case outOfMemory
        /// OpenSSL or the system refused.
        case failed
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// An OpenSSL call failed. Empties this thread's error queue, so that no later call finds this error there.
    static func openSSL(_ code: Code, _ reason: String) -> CryptoError {
        ERR_clear_error()
        return CryptoError(code, reason)
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension CryptoError: PresentableError {
    package var failure: Failure { Failure(.internal, "a cryptographic operation failed: \(reason)") }
}
