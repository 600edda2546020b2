package import Basics
package import ApprovalModel
package import Keys

/// The dependencies of the use-cases once a PIN has opened the vault: only seams, no HTTP, no SQL, no D-Bus.
package struct Workspace: Sendable {
    package var vault: any OpenVault
    package var connections: any ConnectionStore
    package var log: any DecisionLog & ClaimLog
    package var providers: Providers
    package var clock: Clock
    /// The opened items of the banks. The owner of the unlock closes it when the unlock ends.
    package let opened = OpenedItems<Authorization>()
    /// Called before a decision is recorded and sent; throwing prevents both.
    package var beforeSending: @Sendable () throws -> Void = {}
    /// Keeps the vault open, even across a lock, until the returned function is called.
    package var holdOpen: @Sendable () throws -> @Sendable () -> Void = { {} }

    package init(
        vault: any OpenVault, connections: any ConnectionStore, log: any DecisionLog & ClaimLog,
        providers: Providers, clock: Clock
    ) {
        self.vault = vault
        self.connections = connections
        self.log = log
        self.providers = providers
        self.clock = clock
    }

    /// The connection with this name. Throws `LookupError`, with similar names.
    package func connection(named name: String) throws -> Connection {
        let all = try connections.connections()
        if let found = all.first(where: { $0.name.text == name }) { return found }
        throw LookupError(noConnection: name, among: all.map(\.name.text))
    }

    /// The service of a connection. Throws `LookupError.inactive` if its bank no longer knows the connection.
    func service(for connection: Connection) throws -> any BankService {
        guard connection.isKnownToBank else { throw LookupError.inactive(connection.name.text) }
        do {
            return try providers.service(for: connection, secrets: StoredSecrets(connection.keyID, in: vault))
        } catch let error as SecretServiceError where error.kind == .itemMissing {
            // The connection may have become inactive since it was read; then its token is gone.
            let stored = try connections.connections().first { $0.guid == connection.guid }
            guard stored?.status == .inactive else { throw error }
            throw LookupError.inactive(connection.name.text)
        }
    }

    /// Calls a bank. If the bank no longer knows the connection, records that before the error goes on.
    func asking<R: Sendable>(
        _ connection: Connection, _ call: @Sendable (any BankService) async throws -> R
    ) async throws -> R {
        // If the answer to the enrollment cannot be asked for, the first accepted response confirms the connection.
        let needsAnswer = try connection.status == .unconfirmed && !service(for: connection).confirmsByUse
        let asked = needsAnswer ? try await usable(connection) : connection
        do {
            return try await call(try service(for: asked))
        } catch let error as BankError where error.kind == .notAccepted && asked.keyID != connection.keyID {
            // The bank takes the earlier key no more, so it has the new one; its answer is asked for soon.
            throw Self.isUnconfirmed
        } catch let error as BankError where error.kind == .connectionGone {
            try await Self.besideCalls { try deactivate(asked) }
            throw error
        }
    }

    /// Runs work that may wait for another process's state lock on another executor, so that calls to banks do not wait
    /// too.
    static func besideCalls<R: Sendable>(_ work: @Sendable () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }

    /// The bank no longer knows the connection: it is not polled, its token is destroyed, and its other secrets stay until
    /// `reconnect` or `revoke` (saltedge-v1 section 14). Does nothing if a reconnect has replaced it meanwhile.
    private func deactivate(_ connection: Connection) throws {
        let stored = try change(connection) { current in
            current.status = .inactive
            current.updatedAt = clock.now()
        }
        guard stored.keyID == connection.keyID else { return }
        for secret in providers.secrets(of: connection) where secret.endsAtBank {
            try vault.destroy(secret.text, of: connection.keyID)
        }
    }

    /// Stores the connection's new standing. Does nothing if a reconnect has replaced it meanwhile.
    func take(_ standing: Standing, of connection: Connection) throws {
        try change(connection) { try $0.take(standing, at: clock.now()) }
    }

    /// Changes the stored connection, unless a reconnect has replaced it meanwhile, and returns the stored connection.
    /// Destroys the secrets that it has no longer.
    @discardableResult
    func change(_ connection: Connection, _ change: (inout Connection) throws -> Void) throws -> Connection {
        var before: Set<KeyID> = []
        let stored = try connections.update(connection.guid) { current in
            guard current.keyID == connection.keyID else { return }
            before = current.keyIDs
            try change(&current)
        }
        // Those that cannot be destroyed now belong to no connection: the next enrollment destroys them.
        for id in before.subtracting(stored.keyIDs) { try? vault.destroy(id) }
        return stored
    }
}
