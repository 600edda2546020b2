/// Seals what the ledger writes, under keys derived from the vault's master key. Implemented by an unlocked vault.
public protocol RowSealer: Sendable {
    /// AES-256-GCM under the row key, with `name` as associated data; a fresh nonce each time.
    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8]
    /// The reverse; throws when the bytes were changed or stood under another name.
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8]
    /// HMAC-SHA-256 under a key of its own for each `purpose`. 32 bytes.
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8]
    /// Throws `PINError.notSet` when the vault was destroyed since it was opened, whether or not another has taken its
    /// place: nothing could ever open what this one seals. Asked under the state lock, before something is written.
    func demandCurrent() throws
}

/// The second place of the decision log's head (count and last MAC, sealed): the Secret Service, so that a cut-off log is
/// seen. Implemented by an unlocked vault.
public protocol LogHeadStore: Sendable {
    func logHead() throws -> [UInt8]?
    func setLogHead(_ sealed: [UInt8]) throws
    /// Whether a log was begun. Sealed together with the master key, so it cannot be erased with the log. Throws
    /// `PINError.changed` when the PIN was changed since the vault was opened.
    func isLogBegun() throws -> Bool
    /// Seals that a log was begun; on disk (fsync) when this returns. It is never taken back. Throws as `isLogBegun`.
    func beginLog() throws
}

/// All that an unlock opens.
public typealias OpenVault = KeyStore & RowSealer & LogHeadStore
