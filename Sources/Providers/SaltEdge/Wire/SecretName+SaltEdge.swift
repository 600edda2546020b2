import Basics
import Cryptography
import Keys

extension SecretName where Value == any PrivateKey {
    static var key: SecretName { SecretName("key", .rsa) }
}

extension SecretName where Value == any Secret {
    static var token: SecretName { SecretName("token", .bytes, endsAtBank: true) }
}
