public import Basics
public import FoundationEssentials

/// The wire protocol of a connection, by the name that its provider gives it, for example `saltedge-v1`.
public struct WireProtocol: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// One pairing of this agent with one user at one bank. Its secrets are in the key store under `keyID`.
public struct Connection: Sendable, Equatable {
    public enum Status: String, Sendable, Codable {
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

    public let guid: ConnectionGUID
    public var name: ConnectionName
    /// The bank's id of this connection.
    public var id: BankID
    public var keyID: KeyID
    public var status: Status
    public var wireProtocol: WireProtocol
    /// The base of every later call.
    public var baseURL: WebAddress
    public var bankName: BankText
    /// Whose account it is, in the bank's words; nil if the bank does not say.
    public var account: BankText?
    /// How many more wrong responses the bank accepts, if its last answer said so. Unrelated to the tries of the PIN.
    public var attemptsLeft: Int?
    /// When the bank said so.
    public var attemptsLeftAt: Date?
    /// Until when the bank accepts no response; nil if it accepts them, or never will.
    public var blockedUntil: Date?
    public var supportEmail: BankText?
    /// Whether a position goes with each decision. True: mandatory; false: optional; nil: not supported.
    public var geolocationRequired: Bool?
    /// Whether the bank wants a fingerprint or face before each answer; here it is the PIN.
    public var wantsBiometrics: Bool
    /// Data that the provider stores with the connection, under its own keys. Nobody else reads it.
    public var details: [String: String]
    public let createdAt: Date
    public var updatedAt: Date
    /// The connections that a reconnect replaces, oldest first, with their own secrets. They are kept until the bank
    /// accepts the new secrets for the first time, since the bank's answer to them may be lost.
    public var replaced: [Connection] = []

    public init(
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
        self.supportEmail = enrolled.supportEmail
        self.geolocationRequired = enrolled.geolocationRequired
        self.wantsBiometrics = enrolled.wantsBiometrics
        self.details = enrolled.details
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Whether the bank knows this connection, as far as we know.
    public var isKnownToBank: Bool { status != .inactive }

    /// Applies a new standing. An accepted response ends the replaced connections. A response that the bank found wrong
    /// shows that it never took the new secrets, so the earlier ones are used again.
    public mutating func take(_ standing: Standing, at now: Date) {
        if standing.isResponseWrong, let restored { self = restored }
        if standing.status == .active { replaced = [] }
        status = standing.status
        if attemptsLeft != standing.attemptsLeft { attemptsLeftAt = standing.attemptsLeft.map { _ in now } }
        attemptsLeft = standing.attemptsLeft
        blockedUntil = standing.blockedUntil
        details.merge(standing.details) { _, new in new }
        updatedAt = now
    }
}

/// The state of a connection according to a bank's answer.
public struct Standing: Sendable, Equatable {
    public var status: Connection.Status
    public var attemptsLeft: Int?
    public var blockedUntil: Date?
    /// Details for the provider to store; they are merged into those that are there.
    public var details: [String: String]
    /// Whether the bank found a response wrong that this connection's secret made.
    public var isResponseWrong: Bool

    public init(
        _ status: Connection.Status, attemptsLeft: Int? = nil, blockedUntil: Date? = nil,
        details: [String: String] = [:], isResponseWrong: Bool = false
    ) {
        self.isResponseWrong = isResponseWrong
        self.status = status
        self.attemptsLeft = attemptsLeft
        self.blockedUntil = blockedUntil
        self.details = details
    }
}

/// The stored form: the members and the provider's details, side by side in one object.
extension Connection: Codable {
    private enum Member: String, CaseIterable {
        case guid, name, id, keyID, status, wireProtocol, baseURL, bankName, account, supportEmail, geolocationRequired
        case attemptsLeft, attemptsLeftAt, blockedUntil
        case createdAt, updatedAt, replaced, wantsBiometrics
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ member: Member) { stringValue = member.rawValue }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        guid = try members.decode(ConnectionGUID.self, forKey: Key(.guid))
        name = try members.decode(ConnectionName.self, forKey: Key(.name))
        id = try members.decode(BankID.self, forKey: Key(.id))
        keyID = try members.decode(KeyID.self, forKey: Key(.keyID))
        status = try members.decode(Status.self, forKey: Key(.status))
        wireProtocol = try members.decode(WireProtocol.self, forKey: Key(.wireProtocol))
        baseURL = try members.decode(WebAddress.self, forKey: Key(.baseURL))
        bankName = try members.decode(BankText.self, forKey: Key(.bankName))
        account = try members.decodeIfPresent(BankText.self, forKey: Key(.account))
        attemptsLeft = try members.decodeIfPresent(Int.self, forKey: Key(.attemptsLeft))
        attemptsLeftAt = try members.decodeIfPresent(Date.self, forKey: Key(.attemptsLeftAt))
        blockedUntil = try members.decodeIfPresent(Date.self, forKey: Key(.blockedUntil))
        supportEmail = try members.decodeIfPresent(BankText.self, forKey: Key(.supportEmail))
        geolocationRequired = try members.decodeIfPresent(Bool.self, forKey: Key(.geolocationRequired))
        wantsBiometrics = try members.decodeIfPresent(Bool.self, forKey: Key(.wantsBiometrics)) ?? false
        createdAt = try members.decode(Date.self, forKey: Key(.createdAt))
        updatedAt = try members.decode(Date.self, forKey: Key(.updatedAt))
        replaced = try members.decodeIfPresent([Connection].self, forKey: Key(.replaced)) ?? []
        details = [:]
        for key in members.allKeys where Member(rawValue: key.stringValue) == nil {
            details[key.stringValue] = try members.decodeIfPresent(String.self, forKey: key)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        for (name, value) in details {
            guard Member(rawValue: name) == nil else {
                throw EncodingError.invalidValue(
                    name, .init(codingPath: encoder.codingPath, debugDescription: "a detail has a member's name"))
            }
            try members.encode(value, forKey: Key(stringValue: name))
        }
        try members.encode(guid, forKey: Key(.guid))
        try members.encode(name, forKey: Key(.name))
        try members.encode(id, forKey: Key(.id))
        try members.encode(keyID, forKey: Key(.keyID))
        try members.encode(status, forKey: Key(.status))
        try members.encode(wireProtocol, forKey: Key(.wireProtocol))
        try members.encode(baseURL, forKey: Key(.baseURL))
        try members.encode(bankName, forKey: Key(.bankName))
        try members.encodeIfPresent(account, forKey: Key(.account))
        try members.encodeIfPresent(attemptsLeft, forKey: Key(.attemptsLeft))
        try members.encodeIfPresent(attemptsLeftAt, forKey: Key(.attemptsLeftAt))
        try members.encodeIfPresent(blockedUntil, forKey: Key(.blockedUntil))
        try members.encodeIfPresent(supportEmail, forKey: Key(.supportEmail))
        try members.encodeIfPresent(geolocationRequired, forKey: Key(.geolocationRequired))
        if wantsBiometrics { try members.encode(true, forKey: Key(.wantsBiometrics)) }
        try members.encode(createdAt, forKey: Key(.createdAt))
        try members.encode(updatedAt, forKey: Key(.updatedAt))
        if !replaced.isEmpty { try members.encode(replaced, forKey: Key(.replaced)) }
    }
}
