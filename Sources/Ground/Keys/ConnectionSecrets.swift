package import Basics

/// A kind of secret: how its value is made of the bytes that a vault keeps, and the bytes of the value.
package struct SecretKind<Value: Sendable>: Sendable {
    package let open: @Sendable (any Secret) throws -> Value
    package let close: @Sendable (Value) throws -> any Secret

    package init(
        open: @escaping @Sendable (any Secret) throws -> Value, close: @escaping @Sendable (Value) throws -> any Secret
    ) {
        self.open = open
        self.close = close
    }
}

extension SecretKind where Value == any Secret {
    /// The bytes themselves, such as a token.
    package static var bytes: SecretKind { SecretKind(open: { $0 }, close: { $0 }) }
}

/// Declares a secret that a provider keeps with each of its connections, by name and kind.
package struct SecretName<Value: Sendable>: DeclaredSecret {
    /// Lower-case letters and hyphens. Everybody who may look into the keyring sees it.
    package let text: String
    package let kind: SecretKind<Value>
    package let endsAtBank: Bool

    package init(_ text: String, _ kind: SecretKind<Value>, endsAtBank: Bool = false) {
        self.text = text
        self.kind = kind
        self.endsAtBank = endsAtBank
    }

    package func copy(_ id: KeyID, from store: any KeyStore, to secrets: inout EnrolledSecrets) throws {
        secrets.set(self, try store.load(self, of: id))
    }
}

/// A secret's declaration, of any kind.
package protocol DeclaredSecret: Sendable {
    var text: String { get }
    /// Whether it is worth nothing once the bank no longer knows the connection, so that it is destroyed then.
    var endsAtBank: Bool { get }
    /// Reads the secret from a store. Throws if it cannot be read.
    func copy(_ id: KeyID, from store: any KeyStore, to secrets: inout EnrolledSecrets) throws
}

/// The secrets of one connection, for its provider.
package protocol ConnectionSecrets: Sendable {
    /// Throws `SecretServiceError` when the secret is missing.
    func load<Value>(_ name: SecretName<Value>) throws -> Value
}

/// Secrets of a connection in memory, for example before the connection is stored.
package struct EnrolledSecrets: ConnectionSecrets {
    private struct Entry: Sendable {
        var name: any DeclaredSecret
        /// A `Box` of the value.
        var value: any Sendable
        var bytes: @Sendable () throws -> any Secret
    }

    /// A cast to this concrete type needs no look-up of a conformance, which would scan the whole program.
    private struct Box<Value: Sendable>: Sendable {
        var value: Value
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// Reads these secrets from the store. Throws when one of them cannot be read.
    package init(_ names: [any DeclaredSecret], kept id: KeyID, in store: any KeyStore) throws {
        for name in names { try name.copy(id, from: store, to: &self) }
    }

    /// These secrets and one more.
    package func with<Value>(_ name: SecretName<Value>, _ value: Value) -> EnrolledSecrets {
        var secrets = self
        secrets.set(name, value)
        return secrets
    }

    package mutating func set<Value>(_ name: SecretName<Value>, _ value: Value) {
        entries[name.text] = Entry(name: name, value: Box(value: value)) { try name.kind.close(value) }
    }

    package mutating func remove(_ name: String) { entries[name] = nil }

    /// Nil if there is no secret of this name and kind.
    package func value<Value>(_ name: SecretName<Value>) -> Value? {
        (entries[name.text]?.value as? Box<Value>)?.value
    }

    package func load<Value>(_ name: SecretName<Value>) throws -> Value {
        guard let value = value(name) else {
            throw SecretServiceError(.itemMissing, "this connection has no such secret")
        }
        return value
    }

    /// The bytes of each secret, by name.
    package func bytes() throws -> [(name: String, secret: any Secret)] {
        try entries.sorted { $0.key < $1.key }.map { ($0.key, try $0.value.bytes()) }
    }

    /// Whether the store has a secret for each of these names.
    package func areKept(as id: KeyID, in store: any KeyStore) -> Bool {
        (try? EnrolledSecrets(entries.values.map(\.name), kept: id, in: store)) != nil
    }
}

/// The secrets that a key store keeps under one id, each read from the store when it is used.
package struct StoredSecrets: ConnectionSecrets {
    private let store: any KeyStore
    private let id: KeyID

    package init(_ id: KeyID, in store: any KeyStore) {
        self.store = store
        self.id = id
    }

    package func load<Value>(_ name: SecretName<Value>) throws -> Value { try store.load(name, of: id) }
}
