import Authenticator
import Basics
import Display
import FoundationEssentials

/// An authorization as JSON and as a table row.
struct AuthorizationPayload: Encodable {
    var ref: String
    var connection: String
    var id: String
    var status: String
    var title: String
    var text: String
    var html: Bool
    var fields: [String: String]
    @OrNull var authorizationCode: String?
    @OrNull var createdAt: String?
    @OrNull var expiresAt: String?
    @OrNull var secondsLeft: Int?
    @OrNull var options: [String]?
    /// `may_block` or `last_attempt`: what approving asks besides.
    @OrNull var caution: String?
    var fingerprint: String

    init(_ card: Card, now: Date) {
        ref = card.reference
        connection = card.connection.text
        id = card.id.line
        status = card.status.line
        title = card.title.line
        text = card.text
        html = card.html
        fields = card.fields
        authorizationCode = card.code?.line
        createdAt = card.createdAt.map(Timestamp.format)
        expiresAt = card.expiresAt.map(Timestamp.format)
        // Rounded up, so that 0 means expired.
        secondsLeft = card.expiresAt.map { max(0, Int($0.timeIntervalSince(now).rounded(.up))) }
        options = card.options
        caution = card.caution?.rawValue
        fingerprint = card.fingerprint.hex
        row = [DisplayText(ref), card.bank, card.title, DisplayText(card.timeLeft(at: now) ?? "")]
    }

    /// The table row: REF, BANK, TITLE, EXPIRES.
    let row: [DisplayText]

    private enum CodingKeys: String, CodingKey {
        case ref, connection, id, status, title, text, html, fields, authorizationCode, createdAt, expiresAt
        case secondsLeft, options, caution, fingerprint
    }
}

/// The answer of `pending`.
struct PendingPayload: Payload {
    var authorizations: [AuthorizationPayload]
    var failures: [BankFailurePayload]
    /// Whether no bank that can be polled is connected.
    private let isBankless: Bool

    init(_ round: PendingRound, now: Date) {
        authorizations = round.authorizations.map { AuthorizationPayload($0, now: now) }
        failures = round.failures
        isBankless = round.asked == 0
    }

    private enum CodingKeys: String, CodingKey { case authorizations, failures }

    var ids: [String] { authorizations.map(\.ref) }

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
        try AuthorizationPayload(card, now: now).encode(to: encoder)
        try Source(source: card.source?.block).encode(to: encoder)
    }

    /// Encoded beside the members of the authorization.
    private struct Source: Encodable {
        @OrNull var source: String?
    }

    func text(_ style: Style) -> String {
        let lines = card.lines(at: now, width: Terminal.columns, style: style, isCodeWhole: true)
        let source = card.source.map { ["", "The decrypted plaintext:"] + [$0.block] } ?? []
        return (lines + source).joined(separator: "\n")
    }
}
