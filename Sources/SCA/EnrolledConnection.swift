public import Basics

/// Who wants to connect this computer: what the person is asked about.
public struct EnrollmentOffer: Sendable, Equatable {
    /// The name the bank claims.
    public var bankName: BankText
    /// Where the link leads.
    public var source: WebAddress
    /// Where everything later goes.
    public var baseURL: WebAddress
    /// Whose account it is, in the bank's words, where the link says so.
    public var account: BankText?
    /// What the person should know before the yes: sentences of the provider's own.
    public var notes: [String]
    /// What else is called, or led here.
    public var others: [WebAddress]

    public init(
        bankName: BankText, source: WebAddress, baseURL: WebAddress, account: BankText? = nil, notes: [String] = [],
        others: [WebAddress] = []
    ) {
        self.bankName = bankName
        self.account = account
        self.source = source
        self.baseURL = baseURL
        self.notes = notes
        self.others = others
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
    /// Whose account it is, in the bank's words.
    public var account: BankText?
    public var supportEmail: BankText?
    public var geolocationRequired: Bool?
    /// See `Connection`.
    public var details: [String: String]
    public var secrets: EnrolledSecrets

    public init(
        id: BankID, wireProtocol: WireProtocol, baseURL: WebAddress, bankName: BankText, nickname: BankText? = nil,
        account: BankText? = nil, supportEmail: BankText? = nil, geolocationRequired: Bool? = nil,
        details: [String: String] = [:],
        secrets: EnrolledSecrets = EnrolledSecrets()
    ) {
        self.id = id
        self.wireProtocol = wireProtocol
        self.baseURL = baseURL
        self.bankName = bankName
        self.nickname = nickname ?? bankName
        self.account = account
        self.supportEmail = supportEmail
        self.geolocationRequired = geolocationRequired
        self.details = details
        self.secrets = secrets
    }
}
