package import Basics
internal import COpenSSL

/// Why a cryptographic operation failed, in our own words, which are safe to show.
package enum CryptoError: Error, Sendable, Equatable {
    /// The bytes or the PEM text are no key.
    case malformedKey(String)
    /// A key, but of another kind.
    case notRSA
    /// An RSA key of fewer than 2048 bits, or of an exponent that makes it weak.
    case weakKey(String)
    /// An argument whose length does not fit.
    case badLength(String)
    /// The padding below RSA or AES-CBC was wrong.
    case decryptionFailed(String)
    /// Sealed bytes were changed, or stood under another name or key.
    case authenticationFailed(String)
    /// No memory.
    case outOfMemory(String)
    /// OpenSSL or the system refused.
    case failed(String)

    package var reason: String {
        switch self {
        case .notRSA: "the key is not an RSA key"
        case .malformedKey(let reason), .weakKey(let reason), .badLength(let reason), .decryptionFailed(let reason),
            .authenticationFailed(let reason), .outOfMemory(let reason), .failed(let reason):
            reason
        }
    }

    /// An OpenSSL call failed. Empties this thread's error queue, so that no later call finds this error there.
    static func openSSL(_ error: CryptoError) -> CryptoError {
        ERR_clear_error()
        return error
    }
}

extension CryptoError: PresentableError {
    package var failure: Failure { Failure(.internal, "a cryptographic operation failed: \(reason)") }
}
