/// The kinds of secrets that a connection may have.
public enum SecretKind: Sendable, CaseIterable {
    /// An RSA private key.
    case key
    /// An access token.
    case token
    /// What both sides know.
    case shared
}

/// The secrets of one connection, lent to its provider. Each throws where there is none.
public protocol ConnectionSecrets: Sendable {
    func key() throws -> any PrivateKey
    func token() throws -> any Secret
    /// What both sides know.
    func sharedSecret() throws -> any Secret
}

/// The secrets of a connection that is not stored yet: as many of them as its provider needs.
public struct EnrolledSecrets: ConnectionSecrets {
    public var ownKey: (any PrivateKey)?
    public var accessToken: (any Secret)?
    public var shared: (any Secret)?

    public init(key: (any PrivateKey)? = nil, token: (any Secret)? = nil, shared: (any Secret)? = nil) {
        ownKey = key
        accessToken = token
        self.shared = shared
    }

    /// Those of these kinds that the store keeps under this id. Throws where one cannot be had.
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

/// The secrets that a key store keeps under one id, fetched when they are asked for.
public struct KeptSecrets: ConnectionSecrets {
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
