public import SCA

/// Consents, instant actions, the end of a connection, its name: the small use-cases.
public struct Maintaining: Sendable {
    let session: Session

    public init(_ session: Session) {
        self.session = session
    }

    // MARK: Consents

    /// Asks the banks of these connections at once; inactive ones are not asked.
    public func consents(of connections: [Connection]) async -> [BankAnswer<ConsentList>] {
        await session.askingEach(of: connections) { connection in
            try await session.asking(connection) { try await $0.consents() }
        }
    }

    public func revokeConsent(_ id: BankID, of connection: Connection) async throws {
        do {
            try await session.asking(connection) { try await $0.revokeConsent(id) }
        } catch let error as BankError where error.code == .consentGone {
            throw LookupError(.noConsent, wanted: Reference.text(connection.name, id))
        }
    }

    // MARK: Instant actions

    /// The active connections that an action can be claimed for (saltedge-v1 section 9.4, saltedge-v2 section 8.7).
    public func candidates(for action: ActionLink) throws -> [Connection] {
        try session.connections.connections().filter { (connection: Connection) -> Bool in
            guard connection.status == .active else { return false }
            return switch action.target {
            case .uuid(_, let bank): connection.wireProtocol == .saltEdgeV1 && connection.baseURL.base == bank.base
            case .id(_, let provider): connection.wireProtocol == .saltEdgeV2 && connection.bankCode == provider
            }
        }
    }

    public func claim(_ action: ActionLink, for connection: Connection) async throws -> ActionAnswer {
        try await session.asking(connection) { try await $0.claim(action) }
    }

    // MARK: Connections

    /// Asks the bank whether token and key are good; one that is not valid there becomes inactive.
    public func prove(_ connection: Connection) async throws {
        try await session.asking(connection) { try await $0.prove() }
    }

    /// Tells the bank, then destroys key, token and row. Returns whether the bank was told. An inactive connection, or
    /// `localOnly`, is destroyed without a call; an answer other than yes, or that the bank does not know it, keeps
    /// everything (saltedge-v1 section 9.1).
    public func revoke(_ connection: Connection, localOnly: Bool) async throws -> Bool {
        var told = false
        if !localOnly, connection.status == .active {
            do {
                try await session.asking(connection) { try await $0.revokeConnection() }
                told = true
            } catch let error as BankError where error.code == .connectionGone {
                // That the bank no longer knows it is what was wanted.
            }
        }
        try session.connections.exclusively {
            try session.vault.destroy(connection.keyID)
            try session.connections.remove(connection.guid)
        }
        return told
    }

    public func rename(_ connection: Connection, to name: ConnectionName) throws -> Connection {
        try session.connections.update(connection.guid) { current in
            current.name = name
            current.updatedAt = session.clock.now()
        }
    }
}
