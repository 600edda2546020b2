package import Basics
import Display
import FoundationEssentials
import ApprovalModel

/// A third party's access as JSON. Everything in it is safe to show.
package struct ConsentPayload: Codable, Sendable, Equatable {
    package struct Account: Codable, Sendable, Equatable {
        package var name: String
        @OrNull package var accountNumber: String?
        @OrNull package var sortCode: String?
        @OrNull package var iban: String?
    }

    package struct Shared: Codable, Sendable, Equatable {
        @OrNull package var balance: Bool?
        @OrNull package var transactions: Bool?
    }

    package var ref: String
    package var connection: String
    package var id: String
    package var type: String
    package var thirdParty: String
    package var accounts: [Account]
    package var shared: Shared
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

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
package struct ConsentsRound: Codable, Sendable, Equatable {
    package var consents: [ConsentPayload]
    /// Banks that did not answer, then consents that cannot be read.
    package var failures: [BankFailurePayload]
    package var asked: Int
    /// How many of `failures`, counted from the first, are banks that did not answer.
    package var failed: Int
    /// Connections whose bank does not support consents.
    package var unsupported: [String]

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
package struct ConsentRevokedPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable { package var ref: String }

    package var revoked: Content

    init(_ ref: String) { revoked = Content(ref: ref) }
}

/// The answer of `act`.
package struct ActionPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var connection: String
        package var success: Bool
        @OrNull package var authorization: String?
        @OrNull package var returnTo: String?
    }

    package var action: Content
}
