package import Basics

/// A deep link from a QR code, parsed and checked by its provider.
package enum Link: Sendable {
    case connect(ConnectLink)
    case action(ActionLink)

    /// The link, if it connects a bank. Throws a usage failure for an instant action.
    package func connecting() throws -> ConnectLink {
        switch self {
        case .connect(let link): return link
        case .action(let action):
            throw Failure.usage(
                action.isRequest
                    ? "this link is a request to decide, and connects nothing"
                    : "this link is an instant action, not a bank to connect", hint: "countersign act")
        }
    }

    /// The link of an instant action. Throws a usage failure for a link that connects a bank.
    package func acting() throws -> ActionLink {
        guard case .action(let action) = self else {
            throw Failure.usage("this link connects a bank", hint: "countersign enroll")
        }
        return action
    }
}

/// A link that connects a bank.
package struct ConnectLink: Sendable {
    /// The wires of the provider that parsed it.
    package var wires: Set<WireProtocol>
    /// The first address that is called.
    package var address: WebAddress
    /// Whether the link itself names the account; otherwise only the bank knows it.
    package var tellsAccount: Bool
    /// Whether it is for the same account as this connection, if the link says so.
    package var isFor: @Sendable (Connection) -> Bool
    /// The provider's parsed link. Nobody else looks into it.
    package var content: any Sendable

    package init(
        wires: Set<WireProtocol>, address: WebAddress, content: any Sendable,
        isFor: (@Sendable (Connection) -> Bool)? = nil
    ) {
        self.wires = wires
        self.address = address
        tellsAccount = isFor != nil
        self.isFor = isFor ?? { _ in false }
        self.content = content
    }
}

/// A link for something on a web page, which this agent claims for one of its connections.
package struct ActionLink: Sendable {
    /// The action's id as received in the link.
    package var id: BankText
    /// Identifies the bank: a host, or the bank's id.
    package var bank: BankText
    /// Where to go when finished; never opened without asking unless it is `https` or loopback `http`.
    package var returnTo: BankText?
    /// Whether the link is itself the request: claiming it sends nothing, and nothing is stored until it is decided.
    package var isRequest: Bool
    /// Whether a page opened this link; otherwise the person brought it.
    package var isClicked = false
    /// For a request: whether it is listed until it is decided; otherwise only a caller that knows its id finds it.
    package var isListed = true
    /// Returns the given connections for which this link can be claimed.
    package var among: @Sendable ([Connection]) -> [Connection]
    /// Whether one of the given connections is with the link's bank, for any account.
    package var knowsBank: @Sendable ([Connection]) -> Bool
    /// The content that its provider read. Nobody else looks into it.
    package var content: any Sendable

    package init(
        id: BankText, bank: BankText, returnTo: BankText?, isRequest: Bool = false,
        among: @escaping @Sendable ([Connection]) -> [Connection],
        knowsBank: (@Sendable ([Connection]) -> Bool)? = nil, content: any Sendable
    ) {
        self.knowsBank = knowsBank ?? { !among($0).isEmpty }
        self.id = id
        self.bank = bank
        self.returnTo = returnTo
        self.isRequest = isRequest
        self.among = among
        self.content = content
    }

    /// Makes a link for which each connection can be judged by itself.
    package init(
        id: BankText, bank: BankText, returnTo: BankText?, isRequest: Bool = false,
        isFor: @escaping @Sendable (Connection) -> Bool, content: any Sendable
    ) {
        self.init(
            id: id, bank: bank, returnTo: returnTo, isRequest: isRequest, among: { $0.filter(isFor) }, content: content)
    }

    /// Whether it can be claimed for this connection.
    package func isFor(_ connection: Connection) -> Bool { !among([connection]).isEmpty }
}

/// A text in the form of a link: `scheme:…`, one line, at most 16 KiB. Additions by copying are removed where only one
/// meaning is possible.
package struct LinkText: Sendable {
    /// In lower case.
    package let scheme: String
    /// The whole link, mended.
    package let text: Substring

    /// Throws `tooLong`, `broken` and `notALink`.
    package init(_ text: String) throws(LinkError) {
        guard text.utf8.count <= Self.longest else { throw LinkError(.tooLong, "the link is longer than 16 KiB") }
        let link = Substring(try Self.mended(text))
        let scheme = link.before(":").lowercased()
        guard link.behind(":") != nil, link.unicodeScalars.allSatisfy({ $0.value > 0x1F && $0.value != 0x7F }),
            !scheme.isEmpty, scheme.utf8.allSatisfy({ Self.schemeBytes.contains($0) })
        else {
            throw LinkError(.notALink, "this is not a link")
        }
        guard !link.contains(where: \.isWhitespace) else { throw LinkError(.broken, "the link has a space in it") }
        guard !link.unicodeScalars.contains("\u{2026}") else {
            throw LinkError(.broken, "the link was shortened where it was copied: it has a … in it")
        }
        self.scheme = scheme
        self.text = link
    }

    static let longest = 16384
    private static let schemeBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)
}
