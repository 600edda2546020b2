import Basics
import SCACrypto

extension SecretName where Value == any PrivateKey {
    static var key: SecretName { SecretName("key", .rsa) }
}
