import Authenticator
import Display
import FoundationEssentials
import SCA

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
    var expiresAt: String
    var secondsLeft: Int
    var fingerprint: String

    init(_ item: Inbox.Item, now: Date) {
        let authorization = item.authorization
        let card = Card(authorization, of: item.connection)
        ref = item.reference
        connection = item.connection.name.text
        id = DisplayText(BankText(authorization.id.text)).line
        status = authorization.status.words.line
        title = card.title.line
        text = card.text
        html = card.html
        fields = card.fields
        authorizationCode = card.code?.line
        createdAt = authorization.createdAt.map(Timestamp.format)
        expiresAt = Timestamp.format(authorization.expiresAt)
        // Rounded up: 0 means that it is over.
        secondsLeft = max(0, Int(authorization.expiresAt.timeIntervalSince(now).rounded(.up)))
        fingerprint = authorization.fingerprint.hex
        row = [
            DisplayText(ref), card.bank, card.title,
            DisplayText(RelativeTime.until(authorization.expiresAt, from: now)),
        ]
    }

    /// REF, BANK, TITLE, EXPIRES.
    let row: [DisplayText]

    private enum CodingKeys: String, CodingKey {
        case ref, connection, id, status, title, text, html, fields, authorizationCode, createdAt, expiresAt
        case secondsLeft, fingerprint
    }
}

/// One element of `failures`.
struct BankFailurePayload: Encodable {
    var connection: String
    var kind: Failure.Kind
    var message: String
    @OrNull var hint: String?

    init(_ connection: ConnectionName, _ failure: Failure) {
        self.connection = connection.text
        kind = failure.kind
        message = failure.message
        hint = failure.hint?.replacing("NAME", with: connection.text)
    }

    /// What a person reads on standard error.
    var text: String { "error: \(connection): \(message)" + (hint.map { "\nhint: \($0)" } ?? "") }
}

/// `pending`
struct PendingPayload: Payload {
    var authorizations: [AuthorizationPayload]
    var failures: [BankFailurePayload]

    var ids: [String] { authorizations.map(\.ref) }

    func text(_ style: Style) -> String {
        guard !authorizations.isEmpty else { return failures.isEmpty ? "Nothing waits for a decision." : "" }
        return TextTable(header: ["REF", "BANK", "TITLE", "EXPIRES"]).text(authorizations.map(\.row), style)
    }
}

/// `show`: the element itself, and a card for people.
struct ShowPayload: Payload {
    var authorization: AuthorizationPayload
    let card: Card
    let now: Date

    var ids: [String] { [authorization.ref] }

    func encode(to encoder: any Encoder) throws { try authorization.encode(to: encoder) }

    func text(_ style: Style) -> String {
        card.lines(at: now, width: Terminal.columns, style: style).joined(separator: "\n")
    }
}
