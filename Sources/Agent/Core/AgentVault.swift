import Basics
import Synchronization

/// The open vault of an agent. It keeps keys and tokens in locked memory after their first use, since polling needs
/// them every few seconds. `close` ends it for every holder of a reference.
///
/// A decision that the log holds as "sending" must still be able to record its answer, so a `VaultLease` delays the wiping.
final class AgentVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    fileprivate struct State {
        var vault: (any OpenVault)?
        var keys: [KeyID: any PrivateKey] = [:]
        var tokens: [KeyID: any Secret] = [:]
        var sharedSecrets: [KeyID: any Secret] = [:]
        /// Counts writes and deletions, so that a read that crosses one of them keeps nothing.
        var changes = 0
        var leases = 0
        var isClosing = false

        mutating func wipe() {
            vault = nil
            keys = [:]
            tokens = [:]
            sharedSecrets = [:]
        }
    }

    fileprivate let state: Mutex<State>

    init(_ vault: any OpenVault) { state = Mutex(State(vault: vault)) }

    /// Wipes master key, keys and tokens, at once or as soon as no decision holds the vault. Every call after the
    /// wiping throws a failure of kind `locked`.
    func close() {
        state.withLock { state in
            state.isClosing = true
            if state.leases == 0 { state.wipe() }
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosing } }

    /// Throws a failure of kind `locked` once `close` was called, even while a decision still holds the vault.
    func demandOpen() throws {
        if isClosed { throw AgentCore.isLocked }
    }

    func lease() -> VaultLease { VaultLease(self) }

    fileprivate func release() {
        state.withLock { state in
            state.leases -= 1
            if state.isClosing, state.leases == 0 { state.wipe() }
        }
    }

    private func open() throws -> any OpenVault {
        guard let vault = state.withLock({ $0.vault }) else { throw AgentCore.isLocked }
        return vault
    }

    // MARK: Sessions

    func sessionsKey() throws -> any SecretSealer { try open().sessionsKey() }

    // MARK: Secrets of connections

    func makeKey(bits: Int) throws -> any PrivateKey { try open().makeKey(bits: bits) }

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        try demandOpen()
        let vault = try open()
        defer { forget(id, \.keys, \.tokens, \.sharedSecrets) }
        try vault.store(secrets, as: id)
    }

    func key(_ id: KeyID) throws -> any PrivateKey { try keeping(\.keys, id) { try $0.key(id) } }
    func token(_ id: KeyID) throws -> any Secret { try keeping(\.tokens, id) { try $0.token(id) } }
    func sharedSecret(_ id: KeyID) throws -> any Secret { try keeping(\.sharedSecrets, id) { try $0.sharedSecret(id) } }

    private typealias Kept<Value> = any WritableKeyPath<State, [KeyID: Value]> & Sendable

    /// Returns the kept value; if there is none, reads it and keeps it from then on.
    private func keeping<Value: Sendable>(
        _ place: Kept<Value>, _ id: KeyID, _ read: (any OpenVault) throws -> Value
    ) throws -> Value {
        let (kept, changes) = state.withLock { ($0[keyPath: place][id], $0.changes) }
        if let kept { return kept }
        let value = try read(open())
        state.withLock { if $0.vault != nil, $0.changes == changes { $0[keyPath: place][id] = value } }
        return value
    }

    private func forget<each Value>(_ id: KeyID, _ places: repeat Kept<each Value>) {
        state.withLock { state in
            state.changes += 1
            repeat state[keyPath: each places][id] = nil
        }
    }

    func readAhead() { state.withLock({ $0.vault })?.readAhead() }

    func destroyToken(_ id: KeyID) throws {
        let vault = try open()
        defer { forget(id, \.tokens) }
        try vault.destroyToken(id)
    }

    func destroy(_ id: KeyID) throws {
        let vault = try open()
        defer { forget(id, \.keys, \.tokens, \.sharedSecrets) }
        try vault.destroy(id)
    }

    func keyIDs() throws -> Set<KeyID> { try open().keyIDs() }

    // MARK: Rows and the log's head

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { try open().seal(plaintext, as: name) }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { try open().open(sealed, as: name) }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try open().authenticate(message, for: purpose)
    }
    func demandCurrent() throws { try open().demandCurrent() }
    func logHead() throws -> [UInt8]? { try open().logHead() }
    func setLogHead(_ sealed: [UInt8]) throws { try open().setLogHead(sealed) }
    func isLogBegun() throws -> Bool { try open().isLogBegun() }
    func beginLog() throws { try open().beginLog() }
}

/// Keeps the vault open from when a decision is recorded until its answer is.
final class VaultLease: Sendable {
    private let vault: AgentVault
    private let isHeld = Mutex(false)

    fileprivate init(_ vault: AgentVault) { self.vault = vault }

    /// May be called again while it holds: a decision may be sent twice, when the bank corrected our clock. Throws
    /// a failure of kind `locked` if the vault was closed before.
    func begin() throws {
        try isHeld.withLock { isHeld in
            try vault.state.withLock { state in
                guard !state.isClosing else { throw AgentCore.isLocked }
                if !isHeld { state.leases += 1 }
            }
            isHeld = true
        }
    }

    func end() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { vault.release() }
    }
}
