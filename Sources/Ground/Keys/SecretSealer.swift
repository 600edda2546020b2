package import Basics

/// Seals values that have secrets in them, under a key of their own from the vault's master key.
package protocol SecretSealer: Sendable {
    /// AES-256-GCM of the plaintext and the secrets beside it, with `name` as associated data; a fresh nonce each time. The secrets
    /// pass through locked memory alone.
    func seal(_ plaintext: [UInt8], beside secrets: [any Secret], as name: String) throws -> [UInt8]
    /// The reverse; throws when the bytes were changed or stood under another name.
    func open(_ sealed: [UInt8], as name: String) throws -> (plaintext: [UInt8], secrets: [any Secret])
    /// HMAC-SHA-256 under a key of its own for each `purpose`. 32 bytes.
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8]
    /// Like `RowSealer.demandCurrent`.
    func demandCurrent() throws
    /// Keeps sealed values outside the database; nil if there is no such place.
    var shelf: (any SealedShelf)? { get }
}

extension SecretSealer {
    package var shelf: (any SealedShelf)? { nil }
}

/// A place outside the database, such as a keyring, for values that the disk does not take. It gets only sealed values, and ids
/// that reveal nothing.
package protocol SealedShelf: Sendable {
    /// Stores a sealed value, in place of an earlier one with this id.
    func put(_ sealed: [UInt8], as id: String) throws
    /// The value with this id; nil if there is none.
    func sealed(_ id: String) throws -> [UInt8]?
    /// Removes the value with this id, if there is one.
    func remove(_ id: String) throws
}

/// Gives the key under which sessions and their tokens are sealed. It opens nothing else. Implemented by an unlocked vault.
package protocol SessionsKeyStore: Sendable {
    func sessionsKey() throws -> any SecretSealer
}
