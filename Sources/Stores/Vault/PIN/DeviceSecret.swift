import Basics
import Cryptography
import Keys

/// The device secret: 32 random bytes in the keyring. No PIN opens the vault without it.
enum DeviceSecret {
    static let size = 32

    /// Returns the value by which the PIN record recognises the device secret: a MAC of the vault's id under it. The
    /// MAC helps nobody to guess the secret, since the secret is random and as long as the MAC.
    static func commitment(to secret: any Secret, of vault: String) throws -> [UInt8] {
        try Digest.hmacSHA256(Array("countersign device secret 1 \(vault)".utf8), key: secret)
    }

    /// Returns the MAC that the PIN record keeps beside the number of a series, so that nobody without the device
    /// secret can begin a series in which the keyring's count of tries no longer holds.
    static func mark(of series: Int, of vault: String, under secret: any Secret) throws -> [UInt8] {
        try Digest.hmacSHA256(Array("countersign series 1 \(vault) \(series)".utf8), key: secret)
    }

    /// Throws `SecretServiceError` `deviceSecretDamaged` unless the keyring returned the stored secret. With another
    /// secret the right PIN would count as wrong, down to the destruction of the vault.
    ///
    /// A record of an earlier release has no commitment before its next right PIN. Until then only the length is known.
    static func demandIntact(_ secret: any Secret, _ record: PINRecord) throws {
        let isIntact =
            try secret.count == size
            && record.commitment.map { try $0 == commitment(to: secret, of: record.vaultID) } ?? true
        guard isIntact else { throw SecretServiceError.damaged(.deviceSecret, count: secret.count) }
    }
}
