import Agent
import Display

/// `consents`
struct ConsentsPayload: Payload {
    var consents: [ConsentPayload]
    var failures: [BankFailurePayload]

    init(_ round: ConsentsRound) {
        consents = round.consents
        failures = round.failures
    }

    var ids: [String] { consents.map(\.ref) }

    func text(_ style: Style) -> String {
        guard !consents.isEmpty else { return failures.isEmpty ? "No third party has access." : "" }
        let rows = consents.map { Self.row($0).map { DisplayText(answered: $0) } }
        return TextTable(header: ["REF", "THIRD PARTY", "TYPE", "ACCOUNTS", "SHARED", "UNTIL"]).text(rows, style)
    }

    private static func row(_ consent: ConsentPayload) -> [String] {
        let shared = [
            consent.shared.balance == true ? "balance" : nil,
            consent.shared.transactions == true ? "transactions" : nil,
        ].compactMap { $0 }
        let accounts = consent.accounts.map { $0.iban ?? $0.accountNumber ?? $0.name }
        return [
            consent.ref, consent.thirdParty, consent.type, accounts.joined(separator: ", "),
            shared.joined(separator: ", "), String(consent.expiresAt.prefix(10)),
        ]
    }
}

extension ConsentRevokedPayload: Payload {
    var ids: [String] { [revoked.ref] }

    func text(_ style: Style) -> String { "Revoked: \(revoked.ref)" }
}

extension ActionPayload: Payload {
    var ids: [String] { action.authorization.map { [$0] } ?? [] }

    func text(_ style: Style) -> String {
        let next = action.returnTo.map { "\nGo back to: \($0)" } ?? ""
        guard let authorization = action.authorization else { return "Done at \(action.connection)." + next }
        return "The bank asks for a decision: countersign approve \(authorization)" + next
    }
}
