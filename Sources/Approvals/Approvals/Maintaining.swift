import Basics
package import ApprovalModel

/// How a connection ended.
package enum Revocation: Sendable {
    /// The bank accepted the revocation.
    case told
    /// The connection had ended at the bank before: our earlier revocation's answer was lost, or the bank ended it.
    case already
    /// Only here: the bank got no message.
    case here
}

/// The small operations: consents, revoking, proving and renaming connections.
package struct Maintaining: Sendable {
    let workspace: Workspace

    package init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    // MARK: Consents

    /// Asks the banks of these connections at the same time, leaving out inactive connections.
    package func consents(of connections: [Connection]) async -> [BankAnswer<ConsentList>] {
        await workspace.askingEach(of: connections) { connection in
            try await workspace.asking(connection) { try await $0.consents() }
        }
    }

    package func revokeConsent(_ id: BankID, of connection: Connection) async throws {
        do {
            try await workspace.asking(connection) { try await $0.revokeConsent(id) }
        } catch let error as BankError where error.kind == .consentGone {
            throw LookupError.noConsent(Reference.text(connection.name, id))
        }
    }

    // MARK: Connections

    /// Asks the bank whether token and key are good. A connection that it no longer knows becomes inactive. Throws a
    /// failure of kind `usage` if the bank cannot be asked.
    package func prove(_ connection: Connection) async throws {
        guard !connection.isKnownToBank || workspace.providers.isPolled(connection) else {
            throw Failure.usage("its bank cannot be asked; its next use shows whether it is known there")
        }
        try await workspace.asking(connection) { try await $0.prove() }
    }

    /// Sends the bank a revocation, if its protocol has one, then destroys secrets and row. An inactive connection, or
    /// `localOnly`, is destroyed without a call. Any answer except yes, or that the bank no longer knows it, keeps
    /// everything (saltedge-v1 section 9.1). Throws `UnfinishedRevocation` if the destruction itself fails.
    package func revoke(_ connection: Connection, localOnly: Bool) async throws -> Revocation {
        var revocation = localOnly ? Revocation.here : .already
        if !localOnly, connection.isKnownToBank {
            do {
                revocation = .here
                if try workspace.service(for: connection).tellsEnd {
                    try await workspace.asking(connection) { try await $0.revokeConnection() }
                    revocation = .told
                }
            } catch let error as BankError where error.kind == .connectionGone {
                // The bank no longer knows the connection, as the person wanted.
                revocation = .already
            }
        }
        do {
            try workspace.connections.exclusively {
                for id in connection.keyIDs { try workspace.vault.destroy(id) }
                try workspace.connections.remove(connection.guid)
            }
        } catch {
            throw UnfinishedRevocation(isTold: revocation == .told, cause: error)
        }
        return revocation
    }

    package func rename(_ connection: Connection, to name: ConnectionName) throws -> Connection {
        try workspace.connections.update(connection.guid) { current in
            current.name = name
            current.updatedAt = workspace.clock.now()
        }
    }
}
