public import Basics

/// A deep link as it stands in a QR code, read and checked by the provider whose it is.
public enum Link: Sendable {
    case connect(ConnectLink)
    case action(ActionLink)
}

/// A link that connects a bank.
public struct ConnectLink: Sendable {
    /// The wires of the provider that read it.
    public var wires: Set<WireProtocol>
    /// Where it leads: the first address that is called.
    public var address: WebAddress
    /// Whether the link itself says whose account it is for; else only the bank can tell.
    public var tellsAccount: Bool
    /// Whether it is for the very account that this connection is for, where the link tells.
    public var isFor: @Sendable (Connection) -> Bool
    /// What its provider read. Nobody else looks into it.
    public var content: any Sendable

    public init(
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

/// A link that stands for something on a web page, which this agent claims for one of its connections.
public struct ActionLink: Sendable {
    /// As it stood in the link.
    public var id: BankText
    /// What tells it from the link of another bank: a host, or the bank's id.
    public var bank: BankText
    /// Where to go when finished; never opened without asking unless it is `https` or loopback `http`.
    public var returnTo: BankText?
    /// Whether the link is the request itself: to claim it sends nothing, and nothing is kept of it until it is decided.
    public var isRequest: Bool
    /// Whether a page led here by it; else the person brought it.
    public var isClicked = false
    /// Of a request: whether it stands in the list until it is decided; else it is only there for whoever knows its id.
    public var isListed = true
    /// Those of these connections that it can be claimed for.
    public var among: @Sendable ([Connection]) -> [Connection]
    /// Whether one of these connections is with the bank that it names, whoever's account it is.
    public var knowsBank: @Sendable ([Connection]) -> Bool
    /// What its provider read. Nobody else looks into it.
    public var content: any Sendable

    public init(
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

    /// One of which each connection can be judged by itself.
    public init(
        id: BankText, bank: BankText, returnTo: BankText?, isRequest: Bool = false,
        isFor: @escaping @Sendable (Connection) -> Bool, content: any Sendable
    ) {
        self.init(
            id: id, bank: bank, returnTo: returnTo, isRequest: isRequest, among: { $0.filter(isFor) }, content: content)
    }

    /// Whether it can be claimed for this connection.
    public func isFor(_ connection: Connection) -> Bool { !among([connection]).isEmpty }
}

/// A text that has the form of a link: `scheme:…`, of one line, at most 16 KiB.
public struct LinkText: Sendable {
    /// In lower case.
    public let scheme: String
    /// The whole, without white space around it.
    public let text: Substring

    /// Throws `tooLong` and `notALink`.
    public init(_ text: String) throws(LinkError) {
        guard text.utf8.count <= 16384 else { throw LinkError(.tooLong, "the link is longer than 16 KiB") }
        let link = Substring(text).trimmingWhitespace()
        let scheme = link.before(":").lowercased()
        guard link.behind(":") != nil, link.unicodeScalars.allSatisfy({ $0.value > 0x1F && $0.value != 0x7F }),
            !scheme.isEmpty, scheme.utf8.allSatisfy({ Self.schemeBytes.contains($0) })
        else {
            throw LinkError(.notALink, "this is not a link")
        }
        self.scheme = scheme
        self.text = link
    }

    private static let schemeBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)
}
