public import SCA

/// One authorization as a person sees it: made once from what the bank sealed, drawn as often as the time left changes.
///
/// Everything in it is safe to show. Nothing of the content is ever left out: long text is wrapped, not cut.
public struct Card: Sendable {
    /// What a card is made of, part by part, safe.
    enum Section: Sendable {
        case text(String)
        case fields([Field])
    }

    struct Field: Sendable {
        var key: String
        var label: String
        var value: DisplayText
    }

    public let authorization: Authorization
    private let bankName: BankText
    public let bank: DisplayText
    /// The host of every call to this bank, as it goes to DNS (punycode), with its port if that is not the usual one.
    public let host: DisplayText
    public let connection: ConnectionName
    /// What the bank calls it, or `no title` where that is blank.
    public let title: DisplayText
    /// The content without frame and title, as plain text with line feeds: for JSON and for the log of decisions.
    public let text: String
    /// Whether a part of the content was HTML.
    public let html: Bool
    /// Values by wire name (`payee`, `amount`, `device` …), each in one line.
    public let fields: [String: String]
    public let code: DisplayText?
    /// Nothing displayable is left but the title: the card says so, and approving asks for the title to be typed.
    public let needsTypedTitle: Bool
    let sections: [Section]

    /// `host` as `WebAddress` has it.
    public init(_ authorization: Authorization, bank: BankText, host: String, connection: ConnectionName) {
        self.authorization = authorization
        bankName = bank
        self.bank = DisplayText(bank)
        self.host = DisplayText(host)
        self.connection = connection
        let title = DisplayText(authorization.title)
        self.title = title.isBlank ? DisplayText("no title") : title
        let content = CardContent(authorization.content, title: title)
        sections = content.sections
        text = content.text
        html = content.isHTML
        fields = content.fields
        needsTypedTitle = content.isBlank
        code = authorization.code.map { DisplayText($0) }
    }

    public init(_ authorization: Authorization, of connection: Connection) {
        let port = connection.baseURL.port.map { ":\($0)" } ?? ""
        self.init(
            authorization, bank: connection.bankName, host: connection.baseURL.host + port, connection: connection.name)
    }

    /// `fernbank:77`: the connection's name and the percent-encoded id.
    public var reference: String { connection.text + ":" + authorization.id.percentEncoded }

    /// Whether `typed` is the title: case and the number of spaces do not matter.
    public func isTitle(_ typed: String) -> Bool {
        DisplayText(typed).line.lowercased() == title.line.lowercased()
    }

    /// What the log of decisions keeps of this card.
    public var shown: ShownCard {
        ShownCard(
            connection: authorization.connection, connectionName: connection, bank: bankName,
            host: host.line, id: authorization.id, title: authorization.title, text: text, code: authorization.code,
            expiresAt: authorization.expiresAt, fingerprint: authorization.fingerprint)
    }
}
