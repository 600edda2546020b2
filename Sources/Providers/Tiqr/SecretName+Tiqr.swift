import Basics
import Keys

extension SecretName where Value == any Secret {
    /// The account's secret, which the site has, too.
    static var shared: SecretName { SecretName("shared-secret", .bytes) }
}
