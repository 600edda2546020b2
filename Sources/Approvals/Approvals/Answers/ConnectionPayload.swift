public import Basics
import Display
import FoundationEssentials
public import SCA

/// A connection as JSON. Everything in it is safe to show.
public struct ConnectionPayload: Codable, Sendable, Equatable {
    public var name: String
    public var bank: String
    /// The host of every later call, as it goes to DNS.
    public var host: String
    public var id: String
    public var status: String
    public var `protocol`: String
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// Whose account it is, in the bank's words; null if the bank does not say.
    @OrNull public var account: String?
    @OrNull public var supportEmail: String?
    /// How many more wrong responses the bank accepts; null if that is not known, or none was wrong.
    @OrNull public var attemptsLeft: Int?
    /// When the bank said so.
    @OrNull public var attemptsLeftAt: Timestamp?
    /// Until when the bank accepts no response.
    @OrNull public var blockedUntil: Timestamp?
    /// Whether the bank wants a fingerprint or face before each answer; here it is the PIN.
    public var wantsBiometrics: Bool

    public init(_ connection: Connection, _ facts: ConnectionFacts) {
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
public struct ConnectionsPayload: Codable, Sendable, Equatable {
    public var connections: [ConnectionPayload]
    /// Connections that cannot be read; present only if there are any.
    public var failures: [BankFailurePayload]?

    public init(_ connections: [ConnectionPayload], damagedRows: Int = 0) {
        self.connections = connections
        let damaged = BankFailurePayload.damagedRows(damagedRows)
        failures = damaged.isEmpty ? nil : damaged
    }
}

/// The answer of `enroll`, `reconnect` and `rename`.
public struct OneConnectionPayload: Codable, Sendable, Equatable {
    public var connection: ConnectionPayload
}

/// The answer of `revoke`.
public struct RevokedPayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        public var name: String
        public var id: String
        /// Whether the bank accepted the revocation now.
        public var bankTold: Bool
        /// Present only if the connection had already ended at the bank: by an earlier try whose answer was lost, or by
        /// the bank itself.
        public var alreadyRevoked: Bool?
    }

    public var revoked: Content

    init(_ connection: Connection, _ revocation: Revocation) {
        let shown = ConnectionPayload(connection, ConnectionFacts())
        revoked = Content(
            name: shown.name, id: shown.id, bankTold: revocation == .told,
            alreadyRevoked: revocation == .already ? true : nil)
    }
}
