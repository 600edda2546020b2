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

    /// Those that the store keeps under this id; what it does not keep stays nil.
    public init(kept id: KeyID, in store: any KeyStore) throws {
        ownKey = try Self.present { try store.key(id) }
        accessToken = try Self.present { try store.token(id) }
        shared = try Self.present { try store.sharedSecret(id) }
    }

    private static func present<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch let error as SecretServiceError where error.code == .itemMissing {
            return nil
        }
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
