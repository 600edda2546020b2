import Approvals
import Basics
import Display
import FoundationEssentials

/// An authorization as JSON, with the time that is left, and as a table row.
struct AuthorizationPayload: Encodable {
    let card: Card
    let now: Date

    private enum CodingKeys: CodingKey { case secondsLeft }

    func encode(to encoder: any Encoder) throws {
        try card.encodeCommonMembers(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        // Rounded up, so that 0 means expired.
        let left = card.expiresAt.map { max(0, Int($0.timeIntervalSince(now).rounded(.up))) }
        try members.encode(left, forKey: .secondsLeft)
    }

    /// The table row: REF, BANK, TITLE, EXPIRES.
    var row: [DisplayText] {
        [DisplayText(card.reference), card.bank, card.title, DisplayText(card.timeLeft(at: now) ?? "")]
    }
}

/// The answer of `pending`.
struct PendingPayload: Payload {
    var authorizations: [AuthorizationPayload]
    var failures: [BankFailurePayload]
    /// Whether no bank that can be polled is connected.
    private let isBankless: Bool

    init(_ round: PendingRound, now: Date) {
        authorizations = round.authorizations.map { AuthorizationPayload(card: $0, now: now) }
        failures = round.failures
        isBankless = round.asked == 0
    }

    private enum CodingKeys: String, CodingKey { case authorizations, failures }

    var ids: [String] { authorizations.map(\.card.reference) }

    /// The text when nothing waits and no bank failed.
    static func nothing(isBankless: Bool) -> String {
        isBankless
            ? "Nothing waits: no bank that could ask is connected. Connect one with: countersign enroll"
            : "Nothing waits for a decision."
    }

    func text(_ style: Style) -> String {
        guard !authorizations.isEmpty else {
            return failures.isEmpty ? Self.nothing(isBankless: isBankless) : ""
        }
        return TextTable(header: ["REF", "BANK", "TITLE", "EXPIRES"]).text(authorizations.map(\.row), style)
    }
}

/// The answer of `show`: the authorization as JSON, and a card for people.
struct ShowPayload: Payload {
    let card: Card
    let now: Date

    var ids: [String] { [card.reference] }

    func encode(to encoder: any Encoder) throws {
        try AuthorizationPayload(card: card, now: now).encode(to: encoder)
        try Source(source: card.source?.block).encode(to: encoder)
    }

    /// Encoded beside the members of the authorization.
    private struct Source: Encodable {
        @OrNull var source: String?
    }

    func text(_ style: Style) -> String {
        let lines = card.lines(at: now, width: Terminal.columns, style: style, isCodeWhole: true)
        let source = card.source.map { ["", "The decrypted plaintext:", Terminal.framedLines($0.block)] } ?? []
        return (lines + source).joined(separator: "\n")
    }
}
