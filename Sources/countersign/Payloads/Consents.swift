import Approvals
import Display

/// The answer of `consents`.
struct ConsentsPayload: Payload {
    var consents: [ConsentPayload]
    var failures: [BankFailurePayload]
    private let unsupported: [String]
    private let isNoneSupported: Bool

    private enum CodingKeys: String, CodingKey { case consents, failures }

    init(_ round: ConsentsRound) {
        consents = round.consents
        failures = round.failures
        unsupported = round.unsupported
        isNoneSupported = round.unsupported.count == round.asked
    }

    var ids: [String] { consents.map(\.ref) }

    func text(_ style: Style) -> String {
        let remarks = unsupported.map { "\($0): this bank has no consents" }
        return ([table(style)] + remarks).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func table(_ style: Style) -> String {
        let isSilent = !failures.isEmpty || (isNoneSupported && !unsupported.isEmpty)
        guard !consents.isEmpty else { return isSilent ? "" : "No third party has access." }
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
            shared.joined(separator: ", "), consent.expiresAt.day,
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
