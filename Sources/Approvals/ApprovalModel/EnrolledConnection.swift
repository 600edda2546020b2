public import Basics

/// The subject of the question before an enrollment: the bank and the addresses that will be called.
public struct EnrollmentOffer: Sendable, Equatable {
    /// The name the bank claims.
    public var bankName: BankText
    /// The address in the link.
    public var source: WebAddress
    /// The base address of all later calls.
    public var baseURL: WebAddress
    /// Whose account it is, in the bank's words; nil if the link does not say.
    public var account: BankText?
    /// Notes for the person before saying yes: sentences in the provider's own words.
    public var notes: [String]
    /// Further addresses that are called, or that redirected here.
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

/// The result of an enrollment. It is not yet proved, and not stored.
public struct EnrolledConnection: Sendable {
    public var id: BankID
    public var wireProtocol: WireProtocol
    public var baseURL: WebAddress
    public var bankName: BankText
    /// The text from which the connection's name is made.
    public var nickname: BankText
    /// Whose account it is, in the bank's words.
    public var account: BankText?
    /// The provider's own value.
    public var state: ProviderState
    public var secrets: EnrolledSecrets

    public init(
        id: BankID, wireProtocol: WireProtocol, baseURL: WebAddress, bankName: BankText, nickname: BankText? = nil,
        account: BankText? = nil, state: ProviderState = .none,
        secrets: EnrolledSecrets = EnrolledSecrets()
    ) {
        self.id = id
        self.wireProtocol = wireProtocol
        self.baseURL = baseURL
        self.bankName = bankName
        self.nickname = nickname ?? bankName
        self.account = account
        self.state = state
        self.secrets = secrets
    }
}
