import Basics
import Synchronization

/// The open vault of an agent. It keeps keys and tokens in locked memory after their first use, since polling needs
/// them every few seconds. `close` ends it for everybody who still refers to it.
///
/// A decision that the log holds as "sending" must still be able to record its answer, so a `Hold` delays the wiping.
final class AgentVault: KeyStore, RowSealer, LogHeadStore {
    /// Keeps the vault open from when a decision is recorded until its answer is.
    final class Hold: Sendable {
        private let vault: AgentVault
        private let isHeld = Mutex(false)

        fileprivate init(_ vault: AgentVault) { self.vault = vault }

        /// May be called again while it holds: a decision may be sent twice, when the bank corrected our clock. Throws
        /// a failure of kind `locked` if the vault was closed before.
        func begin() throws {
            try isHeld.withLock { isHeld in
                try vault.state.withLock { state in
                    guard !state.isClosing else { throw AgentCore.isLocked }
                    if !isHeld { state.holds += 1 }
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

    private struct State {
        var vault: (any OpenVault)?
        var keys: [KeyID: any PrivateKey] = [:]
        var tokens: [KeyID: any Secret] = [:]
        var sharedSecrets: [KeyID: any Secret] = [:]
        var holds = 0
        var isClosing = false

        mutating func wipe() {
            vault = nil
            keys = [:]
            tokens = [:]
            sharedSecrets = [:]
        }
    }

    private let state: Mutex<State>

    init(_ vault: any OpenVault) { state = Mutex(State(vault: vault)) }

    /// Wipes master key, keys and tokens, at once or as soon as no decision holds the vault. Every call after the
    /// wiping throws a failure of kind `locked`.
    func close() {
        state.withLock { state in
            state.isClosing = true
            if state.holds == 0 { state.wipe() }
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosing } }

    /// Throws a failure of kind `locked` once `close` was called, even while a decision still holds the vault.
    func demandOpen() throws {
        if isClosed { throw AgentCore.isLocked }
    }

    func hold() -> Hold { Hold(self) }

    private func release() {
        state.withLock { state in
            state.holds -= 1
            if state.isClosing, state.holds == 0 { state.wipe() }
        }
    }

    private func open() throws -> any OpenVault {
        guard let vault = state.withLock({ $0.vault }) else { throw AgentCore.isLocked }
        return vault
    }

    // MARK: Secrets of connections

    func makeKey(bits: Int) throws -> any PrivateKey { try open().makeKey(bits: bits) }

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        try demandOpen()
        try open().store(secrets, as: id)
    }

    func key(_ id: KeyID) throws -> any PrivateKey {
        if let key = state.withLock({ $0.keys[id] }) { return key }
        let key = try open().key(id)
        state.withLock { if $0.vault != nil { $0.keys[id] = key } }
        return key
    }

    func token(_ id: KeyID) throws -> any Secret {
        if let token = state.withLock({ $0.tokens[id] }) { return token }
        let token = try open().token(id)
        state.withLock { if $0.vault != nil { $0.tokens[id] = token } }
        return token
    }

    func sharedSecret(_ id: KeyID) throws -> any Secret {
        if let secret = state.withLock({ $0.sharedSecrets[id] }) { return secret }
        let secret = try open().sharedSecret(id)
        state.withLock { if $0.vault != nil { $0.sharedSecrets[id] = secret } }
        return secret
    }

    func readAhead() { state.withLock({ $0.vault })?.readAhead() }

    func destroyToken(_ id: KeyID) throws {
        let vault = try open()
        state.withLock { $0.tokens[id] = nil }
        try vault.destroyToken(id)
    }

    func destroy(_ id: KeyID) throws {
        let vault = try open()
        state.withLock { state in
            state.keys[id] = nil
            state.tokens[id] = nil
            state.sharedSecrets[id] = nil
        }
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
