import SCA
import Synchronization

/// An open vault that keeps keys and tokens in locked memory after their first use: an agent uses them every few seconds.
final class CachingVault: KeyStore, RowSealer, LogHeadStore {
    private struct Kept {
        var keys: [KeyID: any PrivateKey] = [:]
        var tokens: [KeyID: any Secret] = [:]
    }

    private let vault: any OpenVault
    private let kept = Mutex(Kept())

    init(_ vault: any OpenVault) { self.vault = vault }

    // MARK: Keys and tokens

    func makeKey() throws -> any PrivateKey { try vault.makeKey() }

    func store(_ key: any PrivateKey, token: any Secret, as id: KeyID) throws {
        try vault.store(key, token: token, as: id)
    }

    func key(_ id: KeyID) throws -> any PrivateKey {
        if let key = kept.withLock({ $0.keys[id] }) { return key }
        let key = try vault.key(id)
        kept.withLock { $0.keys[id] = key }
        return key
    }

    func token(_ id: KeyID) throws -> any Secret {
        if let token = kept.withLock({ $0.tokens[id] }) { return token }
        let token = try vault.token(id)
        kept.withLock { $0.tokens[id] = token }
        return token
    }

    func readAhead() { vault.readAhead() }

    func destroyToken(_ id: KeyID) throws {
        kept.withLock { $0.tokens[id] = nil }
        try vault.destroyToken(id)
    }

    func destroy(_ id: KeyID) throws {
        kept.withLock { kept in
            kept.keys[id] = nil
            kept.tokens[id] = nil
        }
        try vault.destroy(id)
    }

    func keyIDs() throws -> Set<KeyID> { try vault.keyIDs() }

    // MARK: Rows and the log's head

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { try vault.seal(plaintext, as: name) }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { try vault.open(sealed, as: name) }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try vault.authenticate(message, for: purpose)
    }
    func demandCurrent() throws { try vault.demandCurrent() }
    func logHead() throws -> [UInt8]? { try vault.logHead() }
    func setLogHead(_ sealed: [UInt8]) throws { try vault.setLogHead(sealed) }
}
