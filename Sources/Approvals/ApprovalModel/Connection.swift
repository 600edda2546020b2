package import Basics
package import FoundationEssentials
package import Keys

/// The wire protocol of a connection, by the name that its provider gives it, for example `saltedge-v1`.
package struct WireProtocol: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// One pairing of this agent with one user at one bank. Its secrets are in the key store under `keyID`.
package struct Connection: Sendable, Equatable {
    package enum Status: String, Sendable, Codable {
        case active
        /// Enrolled, but the bank's answer to that was lost, or the first poll failed: asked again until it is known.
        case unconfirmed
        /// The bank refused its last response: another device may have taken its place.
        case doubtful
        /// The bank accepts no response from it, for a time or for good.
        case blocked
        /// The bank no longer knows it. It is not polled and its token is destroyed; `reconnect` or `revoke` it.
        case inactive
    }

    package let guid: ConnectionGUID
    package var name: ConnectionName
    /// The bank's id of this connection.
    package var id: BankID
    package var keyID: KeyID
    package var status: Status
    package var wireProtocol: WireProtocol
    /// The base of every later call.
    package var baseURL: WebAddress
    package var bankName: BankText
    /// Whose account it is, in the bank's words; nil if the bank does not say.
    package var account: BankText?
    /// The provider's own value.
    package var state: ProviderState
    package let createdAt: Date
    package var updatedAt: Date
    /// The connections that a reconnect replaces, oldest first, with their own secrets. They are kept until the bank
    /// accepts the new secrets for the first time, since the bank's answer to them may be lost.
    package var replaced: [Connection] = []

    package init(
        guid: ConnectionGUID, name: ConnectionName, keyID: KeyID, status: Status = .active,
        enrolled: EnrolledConnection, createdAt: Date, updatedAt: Date
    ) {
        self.guid = guid
        self.name = name
        self.id = enrolled.id
        self.keyID = keyID
        self.status = status
        self.wireProtocol = enrolled.wireProtocol
        self.baseURL = enrolled.baseURL
        self.bankName = enrolled.bankName
        self.account = enrolled.account
        self.state = enrolled.state
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Whether the bank knows this connection, as far as we know.
    package var isKnownToBank: Bool { status != .inactive }

    /// Applies a new standing. An accepted response ends the replaced connections. A response that the bank found wrong
    /// shows that it never took the new secrets, so the earlier ones are used again.
    package mutating func take(_ standing: Standing, at now: Date) throws {
        if standing.isResponseWrong, let restored { self = restored }
        if standing.status == .active { replaced = [] }
        status = standing.status
        state = try standing.change(state)
        updatedAt = now
    }
}

/// The state of a connection according to a bank's answer.
package struct Standing: Sendable {
    package var status: Connection.Status
    /// Whether the bank found a response wrong that this connection's secret made.
    package var isResponseWrong: Bool
    /// The provider's change to its state, of the connection that is used afterwards.
    package var change: @Sendable (ProviderState) throws -> ProviderState

    package init(
        _ status: Connection.Status, isResponseWrong: Bool = false,
        change: @escaping @Sendable (ProviderState) throws -> ProviderState = { $0 }
    ) {
        self.status = status
        self.isResponseWrong = isResponseWrong
        self.change = change
    }
}

extension Connection: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case guid, name, id, keyID, status, wireProtocol, baseURL, bankName, account, state, createdAt, updatedAt
        case replaced
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guid = try members.decode(ConnectionGUID.self, forKey: .guid)
        name = try members.decode(ConnectionName.self, forKey: .name)
        id = try members.decode(BankID.self, forKey: .id)
        keyID = try members.decode(KeyID.self, forKey: .keyID)
        status = try members.decode(Status.self, forKey: .status)
        wireProtocol = try members.decode(WireProtocol.self, forKey: .wireProtocol)
        baseURL = try members.decode(WebAddress.self, forKey: .baseURL)
        bankName = try members.decode(BankText.self, forKey: .bankName)
        account = try members.decodeIfPresent(BankText.self, forKey: .account)
        state =
            try members.decodeIfPresent(ProviderState.self, forKey: .state)
            ?? ProviderState(beside: Set(CodingKeys.allCases.map(\.rawValue)), in: decoder)
        createdAt = try members.decode(Date.self, forKey: .createdAt)
        updatedAt = try members.decode(Date.self, forKey: .updatedAt)
        replaced = try members.decodeIfPresent([Connection].self, forKey: .replaced) ?? []
    }
}
