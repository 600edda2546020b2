public import Basics

/// A deep link as it stands in a QR code, read and checked (saltedge-v1 section 2, saltedge-v2 section 2).
public enum Link: Sendable, Equatable {
    case connect(ConnectLink)
    case action(ActionLink)
}

/// `authenticator://…/connect?configuration=<URL>[&connect_query=<opaque>]`
public struct ConnectLink: Sendable, Equatable {
    public var configuration: WebAddress
    /// An opaque one-time secret for instant enrollment; never interpreted.
    public var connectQuery: BankText?

    public init(configuration: WebAddress, connectQuery: BankText?) {
        self.configuration = configuration
        self.connectQuery = connectQuery
    }
}

/// `authenticator://…/action?…`: something on a web page that this agent claims for one of its connections.
public struct ActionLink: Sendable, Equatable {
    public enum Target: Sendable, Equatable {
        /// v1: `action_uuid`, and the base URL that finds the connection.
        case uuid(BankText, bank: WebAddress)
        /// v2: `action_id` and `provider_id`.
        case id(BankText, provider: BankText)
    }

    public var target: Target
    /// Where to go when finished; never opened without asking unless it is `https` or loopback `http`.
    public var returnTo: BankText?

    public init(target: Target, returnTo: BankText?) {
        self.target = target
        self.returnTo = returnTo
    }
}
