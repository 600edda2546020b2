public import Basics

/// Who wants to connect this computer: what the person is asked about.
public struct EnrollmentOffer: Sendable, Equatable {
    /// The name the bank claims.
    public var bankName: BankText
    /// Where the link leads.
    public var source: WebAddress
    /// Where everything later goes.
    public var baseURL: WebAddress

    public init(bankName: BankText, source: WebAddress, baseURL: WebAddress) {
        self.bankName = bankName
        self.source = source
        self.baseURL = baseURL
    }
}

/// What an enrollment brought. Not yet proved, and stored nowhere.
public struct EnrolledConnection: Sendable {
    public var id: BankID
    public var wireProtocol: WireProtocol
    public var baseURL: WebAddress
    public var bankName: BankText
    /// What a connection to this bank is named after.
    public var nickname: BankText
    public var supportEmail: BankText?
    public var geolocationRequired: Bool?
    /// See `Connection`.
    public var details: [String: String]
    public var secrets: EnrolledSecrets

    public init(
        id: BankID, wireProtocol: WireProtocol, baseURL: WebAddress, bankName: BankText, nickname: BankText? = nil,
        supportEmail: BankText? = nil, geolocationRequired: Bool? = nil, details: [String: String] = [:],
        secrets: EnrolledSecrets = EnrolledSecrets()
    ) {
        self.id = id
        self.wireProtocol = wireProtocol
        self.baseURL = baseURL
        self.bankName = bankName
        self.nickname = nickname ?? bankName
        self.supportEmail = supportEmail
        self.geolocationRequired = geolocationRequired
        self.details = details
        self.secrets = secrets
    }
}
