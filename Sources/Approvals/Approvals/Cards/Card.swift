package import Basics
package import Display
package import FoundationEssentials
package import ApprovalModel

/// One authorization as a person sees it: made once from the content that the bank sealed, and drawn whenever the time
/// left changes.
///
/// Everything in it is safe to show. Nothing of the content is left out: long text is wrapped, not cut.
package struct Card: Sendable {
    /// A part of the card's content, safe to show.
    enum Section: Sendable {
        case text(String)
        case fields([Field])
    }

    struct Field: Sendable {
        var key: String
        var label: String
        var value: DisplayText
    }

    /// `fernbank:77`: the connection's name and the percent-encoded id.
    package let reference: String
    package let connection: ConnectionName
    package let id: DisplayText
    /// The bank's word for its status.
    package let status: DisplayText
    package let bank: DisplayText
    /// The host of every call to this bank, as it goes to DNS (punycode), with its port if that is not the default one.
    package let host: DisplayText
    /// The bank's title, or `no title` if that is blank.
    package let title: DisplayText
    /// The content without frame and title, as plain text with line feeds: for JSON and for the log of decisions.
    package let text: String
    /// Whether a part of the content was HTML.
    package let html: Bool
    /// Values by wire name (`payee`, `amount`, `device` …), each in one line.
    package let fields: [String: String]
    package let code: DisplayText?
    package let createdAt: Date?
    /// Rounded down to a second, like in every form of a card.
    package let expiresAt: Date?
    package let fingerprint: Fingerprint
    /// Nothing displayable is left except the title, or a hidden part is too long to show: the card says so, and
    /// approving asks for the title to be typed.
    package let needsTypedTitle: Bool
    /// Whether the reason is a hidden part that was cut.
    let isCut: Bool
    /// Whether the bank wants a position with each approval.
    package let needsPosition: Bool
    /// The extra question before it is approved; nil for none.
    package let caution: Caution?
    /// Whether denying takes the PIN, as approving does (`Authorization.denialPassesAsApproval`).
    package let denialNeedsPIN: Bool
    /// The options if approving means choosing one; none is preselected. Nil if there is nothing to choose; empty if it
    /// can only be denied.
    package let options: [String]?
    /// The reasons for a denial that the bank accepts.
    package let denialReasons: [DenialReason]
    /// How many requests of its connection wait at once, itself included, where usually one waits
    /// (`Authorization.waitingAtOnce`).
    package var waitingAtOnce: Int?
    /// The decrypted plaintext; nil unless it was requested.
    package var source: DisplayText?
    let sections: [Section]

    /// `host` in the form of `WebAddress.hostForPeople`.
    package init(_ authorization: Authorization, bank: BankText, host: String, connection: ConnectionName) {
        reference = Reference.text(connection, authorization.id)
        self.connection = connection
        id = DisplayText(authorization.id.text)
        status = DisplayText(authorization.status.word)
        self.bank = DisplayText(bank)
        self.host = DisplayText(host)
        let title = DisplayText(authorization.title)
        self.title =
            !title.isBlank
            ? title : DisplayText(shown: title.line.isEmpty ? "no title" : "no title " + title.line) ?? title
        let content = CardContent(authorization.content, title: title)
        sections = content.sections
        text = content.text
        html = content.isHTML
        fields = content.fields
        needsTypedTitle = content.isBlank || content.isCut || authorization.isWordless
        isCut = content.isCut
        code = authorization.code.map { DisplayText($0) }
        createdAt = authorization.createdAt
        expiresAt = authorization.expiresAt.map {
            Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))
        }
        fingerprint = authorization.fingerprint
        needsPosition = authorization.needsPosition
        caution = authorization.caution
        waitingAtOnce = authorization.waitingAtOnce
        denialNeedsPIN = authorization.denialPassesAsApproval
        options = authorization.shownOptions
        denialReasons = DenialReason.allCases.filter(authorization.denialReasons.contains)
    }

    package init(_ authorization: Authorization, of connection: Connection) {
        self.init(
            authorization, bank: connection.bankName, host: connection.baseURL.hostForPeople,
            connection: connection.name)
    }

    package var isPending: Bool { status == DisplayText(AuthorizationStatus.pending.word) }
    package var isProcessing: Bool {
        [.confirmProcessing, .denyProcessing].contains { status == DisplayText(($0 as AuthorizationStatus).word) }
    }

    package func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Whether `typed` is the title. Case, the number of spaces, and characters that nobody can type (escapes) do not
    /// matter.
    package func isTitle(_ typed: String) -> Bool {
        DisplayText(typed).typeable == title.typeable
    }

    /// `fields["amount"]`, unless it is blank.
    package var amount: String? { Self.amount(in: fields) }

    /// The amount in these fields of the log, unless it is blank.
    static func amount(in fields: [String: String]) -> String? {
        fields["amount"].flatMap { DisplayText($0).isBlank ? nil : $0 }
    }

    /// The part that the person types to approve the same request again, as proof of reading it: `amount`, or `title`
    /// if there is no amount.
    package var distinction: String { amount == nil ? "title" : "amount" }

    /// Whether `typed` is the card's distinction.
    package func isDistinction(_ typed: String) -> Bool {
        amount.map { DisplayText(typed).line == $0 } ?? isTitle(typed)
    }

    /// Returns the log's record of the authorization on this card.
    func shown(_ authorization: Authorization, of connection: Connection) -> ShownCard {
        ShownCard(
            connection: authorization.connection, connectionName: connection.name, bank: connection.bankName,
            host: host.line, id: authorization.id, title: authorization.title, text: text,
            fields: fields, source: authorization.source, code: authorization.code,
            expiresAt: authorization.expiresAt, fingerprint: fingerprint)
    }
}
