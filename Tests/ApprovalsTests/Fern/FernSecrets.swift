import Basics
import Crypto
import FoundationEssentials
import Keys

extension SecretName where Value == any Secret {
    static var shared: SecretName { SecretName("shared-secret", .bytes) }
}

extension SecretName where Value == P256.Signing.PrivateKey {
    static var signing: SecretName { SecretName("signing-key", .p256) }
}

extension SecretKind where Value == P256.Signing.PrivateKey {
    /// No other provider has a key of this kind.
    static var p256: SecretKind {
        SecretKind(open: { secret in try .init(rawRepresentation: secret.withBytes { Data($0) }) }) { key in
            PlainSecret(Array(key.rawRepresentation))
        }
    }
}
