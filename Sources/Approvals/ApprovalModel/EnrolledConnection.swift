package import Basics
package import Keys

/// The subject of the question before an enrollment: the bank and the addresses that will be called.
package struct EnrollmentOffer: Sendable, Equatable {
    /// The name the bank claims.
    package var bankName: BankText
    /// The address in the link.
    package var source: WebAddress
    /// The base address of all later calls.
    package var baseURL: WebAddress
    /// Whose account it is, in the bank's words; nil if the link does not say.
    package var account: BankText?
    /// Notes for the person before saying yes: sentences in the provider's own words.
    package var notes: [String]
    /// Further addresses that are called, or that redirected here.
    package var others: [WebAddress]

    package init(
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
package struct EnrolledConnection: Sendable {
    package var id: BankID
    package var wireProtocol: WireProtocol
    package var baseURL: WebAddress
    package var bankName: BankText
    /// The text from which the connection's name is made.
    package var nickname: BankText
    /// Whose account it is, in the bank's words.
    package var account: BankText?
    /// The provider's own value.
    package var state: ProviderState
    package var secrets: EnrolledSecrets

    package init(
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
