import Cryptography
import Synchronization

/// The providers' public keys, each parsed once, since parsing a key costs a third of a signature.
final class ProviderKeys: Sendable {
    private let keys = Mutex<[String: RSAPublicKey]>([:])

    /// Throws the errors of `RSAPublicKey`.
    func key(_ pem: String) throws -> RSAPublicKey {
        if let known = keys.withLock({ $0[pem] }) { return known }
        let key = try RSAPublicKey(pem: pem)
        keys.withLock { $0[pem] = key }
        return key
    }
}
