package import Basics
import Display
import FoundationEssentials
package import ApprovalModel

/// A connection as JSON. Everything in it is safe to show.
package struct ConnectionPayload: Codable, Sendable, Equatable {
    package var name: String
    package var bank: String
    /// The host of every later call, as it goes to DNS.
    package var host: String
    package var id: String
    package var status: String
    package var `protocol`: String
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    /// Whose account it is, in the bank's words; null if the bank does not say.
    @OrNull package var account: String?
    @OrNull package var supportEmail: String?
    /// How many more wrong responses the bank accepts; null if that is not known, or none was wrong.
    @OrNull package var attemptsLeft: Int?
    /// When the bank said so.
    @OrNull package var attemptsLeftAt: Timestamp?
    /// Until when the bank accepts no response.
    @OrNull package var blockedUntil: Timestamp?
    /// Whether the bank wants a fingerprint or face before each answer; here it is the PIN.
    package var wantsBiometrics: Bool

    package init(_ connection: Connection, _ facts: ConnectionFacts) {
        name = connection.name.text
        bank = DisplayText(connection.bankName).line
        host = connection.baseURL.hostForPeople
        id = DisplayText(BankText(connection.id.text)).line
        status = connection.status.rawValue
        self.protocol = connection.wireProtocol.rawValue
        createdAt = Timestamp(connection.createdAt)
        updatedAt = Timestamp(connection.updatedAt)
        account = connection.account.flatMap { $0.untrusted.isEmpty ? nil : DisplayText($0).line }
        supportEmail = facts.supportEmail.map { DisplayText($0).line }
        attemptsLeft = facts.attemptsLeft
        attemptsLeftAt = facts.attemptsLeftAt.map { Timestamp($0) }
        blockedUntil = facts.blockedUntil.map { Timestamp($0) }
        wantsBiometrics = facts.wantsBiometrics
    }
}

extension Workspace {
    /// The connection as JSON, with the facts of its provider.
    func payload(of connection: Connection) -> ConnectionPayload {
        ConnectionPayload(connection, providers.facts(of: connection))
    }
}

/// The answer of `connections`.
package struct ConnectionsPayload: Codable, Sendable, Equatable {
    package var connections: [ConnectionPayload]
    /// Connections that cannot be read; present only if there are any.
    package var failures: [BankFailurePayload]?

    package init(_ connections: [ConnectionPayload], damagedRows: Int = 0) {
        self.connections = connections
        let damaged = BankFailurePayload.damagedRows(damagedRows)
        failures = damaged.isEmpty ? nil : damaged
    }
}

/// The answer of `enroll`, `reconnect` and `rename`.
package struct OneConnectionPayload: Codable, Sendable, Equatable {
    package var connection: ConnectionPayload
}

/// The answer of `revoke`.
package struct RevokedPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var name: String
        package var id: String
        /// Whether the bank accepted the revocation now.
        package var bankTold: Bool
        /// Present only if the connection had already ended at the bank: by an earlier try whose answer was lost, or by
        /// the bank itself.
        package var alreadyRevoked: Bool?
    }

    package var revoked: Content

    init(_ connection: Connection, _ revocation: Revocation) {
        let shown = ConnectionPayload(connection, ConnectionFacts())
        revoked = Content(
            name: shown.name, id: shown.id, bankTold: revocation == .told,
            alreadyRevoked: revocation == .already ? true : nil)
    }
}
