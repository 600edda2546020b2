/// Seals the ledger's rows under keys derived from the vault's master key. Implemented by an unlocked vault.
package protocol RowSealer: Sendable {
    /// AES-256-GCM under the row key, with `name` as associated data; a fresh nonce each time.
    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8]
    /// The reverse; throws when the bytes were changed or stood under another name.
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8]
    /// HMAC-SHA-256 under a key of its own for each `purpose`. 32 bytes.
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8]
    /// Throws `PINError.notSet` when the vault was destroyed after it was opened, even if a new vault has replaced it:
    /// no vault could open rows that this one seals. Called under the state lock before each write.
    func demandCurrent() throws
}

/// The second place of the decision log's head (count and last MAC, sealed): the Secret Service, so that a cut-off log
/// is seen. Implemented by an unlocked vault.
package protocol LogHeadStore: Sendable {
    func logHead() throws -> [UInt8]?
    func setLogHead(_ sealed: [UInt8]) throws
    /// Whether a log was begun. Sealed together with the master key, so it cannot be erased with the log. Throws
    /// `PINError.changed` when the PIN was changed since the vault was opened.
    func isLogBegun() throws -> Bool
    /// Records, sealed with the master key, that a log was begun; on disk (fsync) when this returns. Nothing undoes it.
    /// Throws as `isLogBegun`.
    func beginLog() throws
}

/// The abilities of an unlocked vault.
package typealias OpenVault = KeyStore & RowSealer & LogHeadStore & SessionsKeyStore
