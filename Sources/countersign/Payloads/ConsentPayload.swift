import Authenticator
import Display
import SCA

/// `consents`
struct ConsentsPayload: Payload {
    struct Account: Encodable {
        var name: String
        @OrNull var accountNumber: String?
        @OrNull var sortCode: String?
        @OrNull var iban: String?
    }

    struct Shared: Encodable {
        @OrNull var balance: Bool?
        @OrNull var transactions: Bool?
    }

    struct Entry: Encodable {
        var ref: String
        var connection: String
        var id: String
        var type: String
        var thirdParty: String
        var accounts: [Account]
        var shared: Shared
        var createdAt: String
        var expiresAt: String
    }

    var consents: [Entry]
    var failures: [BankFailurePayload]

    private let rows: [[DisplayText]]

    init(_ answers: [Maintaining.ConsentAnswer], failures: [BankFailurePayload]) {
        self.failures = failures
        let found = answers.flatMap { answer in
            ((try? answer.result.get())?.consents ?? []).map { (answer.connection.name, $0) }
        }
        rows = found.map(Self.row)
        consents = found.map { name, consent in
            Entry(
                ref: Reference.text(name, consent.id), connection: name.text,
                id: Self.line(BankText(consent.id.text)), type: Self.line(consent.type),
                thirdParty: Self.line(consent.thirdParty),
                accounts: consent.accounts.map { account in
                    Account(
                        name: Self.line(account.name), accountNumber: account.number.map(Self.line),
                        sortCode: account.sortCode.map(Self.line), iban: account.iban.map(Self.line))
                },
                shared: Shared(balance: consent.shared?.balance, transactions: consent.shared?.transactions),
                createdAt: Timestamp.format(consent.createdAt), expiresAt: Timestamp.format(consent.expiresAt))
        }
    }

    private enum CodingKeys: String, CodingKey { case consents, failures }

    private static func row(_ name: ConnectionName, _ consent: Consent) -> [DisplayText] {
        let shared = [
            consent.shared?.balance == true ? "balance" : nil,
            consent.shared?.transactions == true ? "transactions" : nil,
        ].compactMap { $0 }
        let accounts = consent.accounts.map { ($0.iban ?? $0.number ?? $0.name).untrusted }
        return [
            DisplayText(Reference.text(name, consent.id)), DisplayText(consent.thirdParty), DisplayText(consent.type),
            DisplayText(accounts.joined(separator: ", ")), DisplayText(shared.joined(separator: ", ")),
            DisplayText(String(Timestamp.format(consent.expiresAt).prefix(10))),
        ]
    }

    private static func line(_ text: BankText) -> String { DisplayText(text).line }

    var ids: [String] { consents.map(\.ref) }

    func text(_ style: Style) -> String {
        guard !consents.isEmpty else { return failures.isEmpty ? "No third party has access." : "" }
        return TextTable(header: ["REF", "THIRD PARTY", "TYPE", "ACCOUNTS", "SHARED", "UNTIL"]).text(rows, style)
    }
}

/// `consents revoke`
struct ConsentRevokedPayload: Payload {
    struct Content: Encodable { var ref: String }

    var revoked: Content

    var ids: [String] { [revoked.ref] }

    func text(_ style: Style) -> String { "Revoked: \(revoked.ref)" }
}

/// `act`
struct ActionPayload: Payload {
    struct Content: Encodable {
        var connection: String
        var success: Bool
        @OrNull var authorization: String?
        @OrNull var returnTo: String?
    }

    var action: Content

    var ids: [String] { action.authorization.map { [$0] } ?? [] }

    func text(_ style: Style) -> String {
        let next = action.returnTo.map { "\nGo back to: \($0)" } ?? ""
        guard let authorization = action.authorization else { return "Done at \(action.connection)." + next }
        return "The bank asks for a decision: countersign approve \(authorization)" + next
    }
}
