public import Basics
public import FoundationEssentials

/// A long-lived grant to a third party, listed and revocable (saltedge-v1 section 9.3).
public struct Consent: Sendable, Equatable {
    public struct Account: Sendable, Equatable {
        public var name: BankText
        public var number: BankText?
        public var sortCode: BankText?
        public var iban: BankText?

        public init(name: BankText, number: BankText?, sortCode: BankText?, iban: BankText?) {
            self.name = name
            self.number = number
            self.sortCode = sortCode
            self.iban = iban
        }
    }

    public struct SharedData: Sendable, Equatable {
        public var balance: Bool?
        public var transactions: Bool?

        public init(balance: Bool?, transactions: Bool?) {
            self.balance = balance
            self.transactions = transactions
        }
    }

    public let connection: ConnectionGUID
    /// The outer id, which a revocation names (saltedge-v2 section 9).
    public let id: BankID
    /// `aisp`, `pisp_future`, `pisp_recurring`, or a word of the bank's own.
    public let type: BankText
    public let thirdParty: BankText
    public let accounts: [Account]
    public let shared: SharedData?
    public let createdAt: Date
    public let expiresAt: Date

    public init(
        connection: ConnectionGUID, id: BankID, type: BankText, thirdParty: BankText, accounts: [Account],
        shared: SharedData?, createdAt: Date, expiresAt: Date
    ) {
        self.connection = connection
        self.id = id
        self.type = type
        self.thirdParty = thirdParty
        self.accounts = accounts
        self.shared = shared
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The result of one call for consents.
public struct ConsentList: Sendable {
    public var consents: [Consent]
    public var faults: [ItemFault]
    /// False if the bank does not support consents.
    public var isSupported: Bool

    public init(consents: [Consent], faults: [ItemFault], isSupported: Bool = true) {
        self.consents = consents
        self.faults = faults
        self.isSupported = isSupported
    }

    /// The result for a bank that does not support consents.
    public static let unsupported = ConsentList(consents: [], faults: [], isSupported: false)
}

/// The bank's answer to the claim of an instant action (saltedge-v1 section 9.4).
public struct ActionAnswer: Sendable, Equatable {
    public var success: Bool
    /// The authorization that now waits; nil if the action needs none.
    public var authorization: BankID?

    public init(success: Bool, authorization: BankID?) {
        self.success = success
        self.authorization = authorization
    }
}
