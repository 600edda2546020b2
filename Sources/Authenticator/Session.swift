public import Basics
public import SCA

/// What the use-cases work with once a PIN has opened the vault: seams only, no HTTP, no SQL, no D-Bus.
public struct Session: Sendable {
    public var vault: any OpenVault
    public var connections: any ConnectionStore
    public var log: any DecisionLog & ClaimLog
    public var providers: Providers
    public var clock: Clock
    /// What was opened of the banks' items; whoever holds the unlock closes it with that.
    public let opened = OpenedItems<Authorization>()
    /// Called when a decision is about to be recorded and sent; what it throws stops that.
    public var beforeSending: @Sendable () throws -> Void = {}

    public init(
        vault: any OpenVault, connections: any ConnectionStore, log: any DecisionLog & ClaimLog,
        providers: Providers, clock: Clock
    ) {
        self.vault = vault
        self.connections = connections
        self.log = log
        self.providers = providers
        self.clock = clock
    }

    /// The connection with this name. Throws `LookupError`, with names that look alike.
    public func connection(named name: String) throws -> Connection {
        let all = try connections.connections()
        if let found = all.first(where: { $0.name.text == name }) { return found }
        throw LookupError(noConnection: name, among: all.map(\.name.text))
    }

    /// The service of a connection that its bank knows. Throws `LookupError.inactive` for one that its bank no longer knows.
    func service(for connection: Connection) throws -> any BankService {
        guard connection.isKnownToBank else { throw LookupError(.inactive, wanted: connection.name.text) }
        do {
            return try providers.service(for: connection, secrets: KeptSecrets(connection.keyID, in: vault))
        } catch let error as SecretServiceError where error.code == .itemMissing {
            // It may have ended since it was read: then its token is gone.
            let stored = try connections.connections().first { $0.guid == connection.guid }
            guard stored?.status == .inactive else { throw error }
            throw LookupError(.inactive, wanted: connection.name.text)
        }
    }

    /// Runs a call to a bank; where the bank no longer knows the connection, that is written down before the error goes on.
    func asking<R: Sendable>(
        _ connection: Connection, _ call: @Sendable (any BankService) async throws -> R
    ) async throws -> R {
        // Where nobody can be asked, the first response that is accepted confirms it.
        let needsAnswer = try connection.status == .unconfirmed && !service(for: connection).confirmsByUse
        let connection = needsAnswer ? try await confirmed(connection) : connection
        do {
            return try await call(try service(for: connection))
        } catch let error as BankError where error.code == .connectionGone {
            try await Self.besideCalls { try deactivate(connection) }
            throw error
        }
    }

    /// Runs what may wait for another process, which has the state lock: not where calls to banks are carried, which would wait
    /// with it.
    static func besideCalls<R: Sendable>(_ work: @Sendable () async throws -> R) async rethrows -> R {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }

    /// The bank no longer knows it: no longer polled, the token goes, the key stays until `reconnect` or `revoke`
    /// (saltedge-v1 section 14). Nothing happens when a reconnect has taken its place meanwhile.
    private func deactivate(_ connection: Connection) throws {
        let stored = try connections.update(connection.guid) { current in
            guard current.keyID == connection.keyID else { return }
            current.status = .inactive
            current.updatedAt = clock.now()
        }
        if stored.keyID == connection.keyID { try vault.destroyToken(connection.keyID) }
    }

    /// How the connection stands by what its bank answered just now. Nothing happens when a reconnect has taken its place meanwhile.
    func take(_ standing: Standing, of connection: Connection) throws {
        try connections.update(connection.guid) { current in
            if current.keyID == connection.keyID { current.take(standing, at: clock.now()) }
        }
    }
}
