package import Basics
package import FoundationEssentials

/// A long-lived grant to a third party, listed and revocable (saltedge-v1 section 9.3).
package struct Consent: Sendable, Equatable {
    package struct Account: Sendable, Equatable {
        package var name: BankText
        package var number: BankText?
        package var sortCode: BankText?
        package var iban: BankText?

        package init(name: BankText, number: BankText?, sortCode: BankText?, iban: BankText?) {
            self.name = name
            self.number = number
            self.sortCode = sortCode
            self.iban = iban
        }
    }

    package struct SharedData: Sendable, Equatable {
        package var balance: Bool?
        package var transactions: Bool?

        package init(balance: Bool?, transactions: Bool?) {
            self.balance = balance
            self.transactions = transactions
        }
    }

    package let connection: ConnectionGUID
    /// The outer id, which a revocation names (saltedge-v2 section 9).
    package let id: BankID
    /// `aisp`, `pisp_future`, `pisp_recurring`, or a word of the bank's own.
    package let type: BankText
    package let thirdParty: BankText
    package let accounts: [Account]
    package let shared: SharedData?
    package let createdAt: Date
    package let expiresAt: Date

    package init(
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
package struct ConsentList: Sendable {
    package var consents: [Consent]
    package var faults: [ItemFault]
    /// False if the bank does not support consents.
    package var isSupported: Bool

    package init(consents: [Consent], faults: [ItemFault], isSupported: Bool = true) {
        self.consents = consents
        self.faults = faults
        self.isSupported = isSupported
    }

    /// The result for a bank that does not support consents.
    package static let unsupported = ConsentList(consents: [], faults: [], isSupported: false)
}

/// The bank's answer to the claim of an instant action (saltedge-v1 section 9.4).
package struct ActionAnswer: Sendable, Equatable {
    package var success: Bool
    /// The authorization that now waits; nil if the action needs none.
    package var authorization: BankID?

    package init(success: Bool, authorization: BankID?) {
        self.success = success
        self.authorization = authorization
    }
}
