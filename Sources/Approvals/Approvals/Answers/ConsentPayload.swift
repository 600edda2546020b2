public import Basics
import Display
import FoundationEssentials
import SCA

/// A third party's access as JSON. Everything in it is safe to show.
public struct ConsentPayload: Codable, Sendable, Equatable {
    public struct Account: Codable, Sendable, Equatable {
        public var name: String
        @OrNull public var accountNumber: String?
        @OrNull public var sortCode: String?
        @OrNull public var iban: String?
    }

    public struct Shared: Codable, Sendable, Equatable {
        @OrNull public var balance: Bool?
        @OrNull public var transactions: Bool?
    }

    public var ref: String
    public var connection: String
    public var id: String
    public var type: String
    public var thirdParty: String
    public var accounts: [Account]
    public var shared: Shared
    public var createdAt: Timestamp
    public var expiresAt: Timestamp

    init(_ consent: Consent, of name: ConnectionName) {
        func line(_ text: BankText) -> String { DisplayText(text).line }
        ref = Reference.text(name, consent.id)
        connection = name.text
        id = line(BankText(consent.id.text))
        type = line(consent.type)
        thirdParty = line(consent.thirdParty)
        accounts = consent.accounts.map { account in
            Account(
                name: line(account.name), accountNumber: account.number.map(line),
                sortCode: account.sortCode.map(line), iban: account.iban.map(line))
        }
        shared = Shared(balance: consent.shared?.balance, transactions: consent.shared?.transactions)
        createdAt = Timestamp(consent.createdAt)
        expiresAt = Timestamp(consent.expiresAt)
    }
}

/// The result of asking banks for consents.
public struct ConsentsRound: Codable, Sendable, Equatable {
    public var consents: [ConsentPayload]
    /// Banks that did not answer, then consents that cannot be read.
    public var failures: [BankFailurePayload]
    public var asked: Int
    /// How many of `failures`, counted from the first, are banks that did not answer.
    public var failed: Int
    /// Connections whose bank does not support consents.
    public var unsupported: [String]

    init(_ answers: [BankAnswer<ConsentList>]) {
        unsupported = []
        var broken: [BankFailurePayload] = []
        var faults: [BankFailurePayload] = []
        consents = []
        for answer in answers {
            let name = answer.connection.name
            switch answer.result {
            case .success(let list):
                if !list.isSupported { unsupported.append(name.text) }
                consents += list.consents.map { ConsentPayload($0, of: name) }
                faults += list.faults.map {
                    BankFailurePayload(name, Failure(.internal, "a consent was left out: \($0.reason)"))
                }
            case .failure(let error): broken.append(BankFailurePayload(name, Failure(error)))
            }
        }
        failures = broken + faults
        asked = answers.count
        failed = broken.count
    }
}

/// The answer of `consents revoke`.
public struct ConsentRevokedPayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable { public var ref: String }

    public var revoked: Content

    init(_ ref: String) { revoked = Content(ref: ref) }
}

/// The answer of `act`.
public struct ActionPayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        public var connection: String
        public var success: Bool
        @OrNull public var authorization: String?
        @OrNull public var returnTo: String?
    }

    public var action: Content
}
