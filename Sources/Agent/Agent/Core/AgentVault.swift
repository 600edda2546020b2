import Basics
import Keys
import Synchronization

/// The open vault of an agent. It keeps secrets in locked memory after their first use, since polling needs
/// them every few seconds. `close` ends it for every holder of a reference.
///
/// A decision that the log holds as "sending" must still be able to record its answer, so a `VaultLease` delays the wiping.
final class AgentVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    fileprivate struct State {
        var vault: (any OpenVault)?
        var secrets: [KeyID: EnrolledSecrets] = [:]
        /// Counts writes and deletions, so that a read that crosses one of them keeps nothing.
        var changes = 0
        var leases = 0
        var isClosing = false

        mutating func wipe() {
            vault = nil
            secrets = [:]
        }
    }

    fileprivate let state: Mutex<State>

    init(_ vault: any OpenVault) { state = Mutex(State(vault: vault)) }

    /// Wipes the master key and all secrets, at once or as soon as no decision holds the vault. Every call after the
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

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        try demandOpen()
        let vault = try open()
        defer { forget { $0[id] = nil } }
        try vault.store(secrets, as: id)
    }

    /// Returns the kept value; if there is none, reads it and keeps it from then on.
    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value {
        let (kept, changes) = state.withLock { ($0.secrets[id]?.value(name), $0.changes) }
        if let kept { return kept }
        let value = try open().load(name, of: id)
        state.withLock {
            if $0.vault != nil, $0.changes == changes { $0.secrets[id, default: .init()].set(name, value) }
        }
        return value
    }

    private func forget(_ change: (inout [KeyID: EnrolledSecrets]) -> Void) {
        state.withLock { state in
            state.changes += 1
            change(&state.secrets)
        }
    }

    func readAhead() { state.withLock({ $0.vault })?.readAhead() }

    func destroy(_ name: String, of id: KeyID) throws {
        let vault = try open()
        defer { forget { $0[id]?.remove(name) } }
        try vault.destroy(name, of: id)
    }

    func destroy(_ id: KeyID) throws {
        let vault = try open()
        defer { forget { $0[id] = nil } }
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
