/// The kinds of secrets that a connection may have.
public enum SecretKind: Sendable, CaseIterable {
    /// An RSA private key.
    case key
    /// An access token.
    case token
    /// A secret that the bank has, too.
    case shared
}

/// The secrets of one connection, for its provider. Each function throws `SecretServiceError` when the secret is
/// missing.
public protocol ConnectionSecrets: Sendable {
    func key() throws -> any PrivateKey
    func token() throws -> any Secret
    /// A secret that the bank has, too.
    func sharedSecret() throws -> any Secret
}

/// Secrets of a connection in memory, for example before the connection is stored: those that its provider needs.
public struct EnrolledSecrets: ConnectionSecrets {
    public var ownKey: (any PrivateKey)?
    public var accessToken: (any Secret)?
    public var shared: (any Secret)?

    public init(key: (any PrivateKey)? = nil, token: (any Secret)? = nil, shared: (any Secret)? = nil) {
        ownKey = key
        accessToken = token
        self.shared = shared
    }

    /// Reads the secrets of these kinds from the store. Throws when one of them cannot be read.
    public init(_ kinds: Set<SecretKind>, kept id: KeyID, in store: any KeyStore) throws {
        if kinds.contains(.key) { ownKey = try store.key(id) }
        if kinds.contains(.token) { accessToken = try store.token(id) }
        if kinds.contains(.shared) { shared = try store.sharedSecret(id) }
    }

    public func key() throws -> any PrivateKey { try present(ownKey) }
    public func token() throws -> any Secret { try present(accessToken) }
    public func sharedSecret() throws -> any Secret { try present(shared) }

    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw SecretServiceError(.itemMissing, "this connection has no such secret") }
        return value
    }
}

/// The secrets that a key store keeps under one id, each read from the store when it is used.
public struct StoredSecrets: ConnectionSecrets {
    private let store: any KeyStore
    private let id: KeyID

    public init(_ id: KeyID, in store: any KeyStore) {
        self.store = store
        self.id = id
    }

    public func key() throws -> any PrivateKey { try store.key(id) }
    public func token() throws -> any Secret { try store.token(id) }
    public func sharedSecret() throws -> any Secret { try store.sharedSecret(id) }
}
