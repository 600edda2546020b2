import Crypto
import CryptoExtras
import FoundationEssentials

/// A stored password: a random salt and scrypt's result, never the password itself.
struct PasswordHash: Sendable {
    let salt: Data
    let key: Data

    init(salt: Data, key: Data) {
        self.salt = salt
        self.key = key
    }

    init(password: String) throws {
        salt = Data(RandomText.bytes(16))
        key = try Self.derive(password, salt: salt)
    }

    func matches(_ password: String) throws -> Bool {
        let other = try Self.derive(password, salt: salt)
        // Compares all bytes in any case, so that the time reveals nothing.
        return zip(key, other).reduce(UInt8(key.count == other.count ? 0 : 1)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Cheap, since these passwords protect nothing: this bank is for rehearsals, and tests sign in hundreds of times.
    private static let rounds = 1 << 8

    private static func derive(_ password: String, salt: Data) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: 8, parallelism: 1)
        return key.withUnsafeBytes { Data($0) }
    }
}
