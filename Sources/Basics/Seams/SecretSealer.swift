/// Seals values that have secrets in them, under a key of their own from the vault's master key.
public protocol SecretSealer: Sendable {
    /// AES-256-GCM of the plaintext and the secrets beside it, with `name` as associated data; a fresh nonce each time. The secrets
    /// pass through locked memory alone.
    func seal(_ plaintext: [UInt8], beside secrets: [any Secret], as name: String) throws -> [UInt8]
    /// The reverse; throws when the bytes were changed or stood under another name.
    func open(_ sealed: [UInt8], as name: String) throws -> (plaintext: [UInt8], secrets: [any Secret])
    /// HMAC-SHA-256 under a key of its own for each `purpose`. 32 bytes.
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8]
    /// As that of `RowSealer`.
    func demandCurrent() throws
    /// Where what it sealed can be kept beside the database; nil where there is no such place.
    var shelf: (any SealedShelf)? { get }
}

extension SecretSealer {
    public var shelf: (any SealedShelf)? { nil }
}

/// A place beside the database, such as a keyring, for when the disk takes nothing. It gets nothing but what was sealed, and ids that reveal
/// nothing.
public protocol SealedShelf: Sendable {
    /// Puts it there in place of what has this id.
    func put(_ sealed: [UInt8], as id: String) throws
    /// Nil where nothing has this id.
    func sealed(_ id: String) throws -> [UInt8]?
    /// Removes it, if it is there.
    func remove(_ id: String) throws
}

/// Gives the key under which sessions and their tokens are sealed. It opens nothing else. Implemented by an unlocked vault.
public protocol SessionsKeyStore: Sendable {
    func sessionsKey() throws -> any SecretSealer
}
