public import Basics
public import FoundationEssentials

/// The wire protocol that a connection speaks.
public enum WireProtocol: String, Sendable, Codable {
    case saltEdgeV1 = "saltedge-v1"
    case saltEdgeV2 = "saltedge-v2"
}

/// What a bank published about itself behind the link's `configuration` URL (saltedge-v1 section 3, saltedge-v2 section
/// 3), after checking.
public struct BankConfiguration: Sendable, Equatable {
    public var wireProtocol: WireProtocol
    /// Where the document was fetched.
    public var source: WebAddress
    /// The base of every later call.
    public var baseURL: WebAddress
    /// The bank's short code (v1 `code`; v2 `provider_id`).
    public var code: BankText
    /// The name the bank claims.
    public var name: BankText
    public var supportEmail: BankText?
    /// True: a position is mandatory for decisions; false: optional; nil: not supported.
    public var geolocationRequired: Bool?
    /// v2: the provider's RSA public key as SubjectPublicKeyInfo PEM, checked; it encrypts what we send to the provider.
    public var providerKey: String?

    public init(
        wireProtocol: WireProtocol, source: WebAddress, baseURL: WebAddress, code: BankText, name: BankText,
        supportEmail: BankText? = nil, geolocationRequired: Bool? = nil, providerKey: String? = nil
    ) {
        self.wireProtocol = wireProtocol
        self.source = source
        self.baseURL = baseURL
        self.code = code
        self.name = name
        self.supportEmail = supportEmail
        self.geolocationRequired = geolocationRequired
        self.providerKey = providerKey
    }
}

/// One pairing of this agent with one user at one bank. Key pair and access token lie in the key store under `keyID`.
public struct Connection: Sendable, Equatable, Codable {
    public enum Status: String, Sendable, Codable {
        case active
        /// The bank no longer knows it: no longer polled, token destroyed; `reconnect` or `revoke` it.
        case inactive
    }

    public let guid: ConnectionGUID
    public var name: ConnectionName
    /// The bank's id of this connection.
    public var id: BankID
    public var keyID: KeyID
    public var status: Status
    public var wireProtocol: WireProtocol
    /// Where its configuration was fetched; `reconnect` starts here.
    public var configurationURL: WebAddress
    public var baseURL: WebAddress
    public var bankName: BankText
    public var bankCode: BankText
    public var supportEmail: BankText?
    public var geolocationRequired: Bool?
    /// v2: see `BankConfiguration.providerKey`.
    public var providerKey: String?
    public let createdAt: Date
    public var updatedAt: Date

    public init(
        guid: ConnectionGUID, name: ConnectionName, id: BankID, keyID: KeyID, status: Status,
        configuration: BankConfiguration, createdAt: Date, updatedAt: Date
    ) {
        self.guid = guid
        self.name = name
        self.id = id
        self.keyID = keyID
        self.status = status
        self.wireProtocol = configuration.wireProtocol
        self.configurationURL = configuration.source
        self.baseURL = configuration.baseURL
        self.bankName = configuration.name
        self.bankCode = configuration.code
        self.supportEmail = configuration.supportEmail
        self.geolocationRequired = configuration.geolocationRequired
        self.providerKey = configuration.providerKey
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
