import Basics

/// A deep link as it stands in a QR code, read and checked (saltedge-v1 section 2, saltedge-v2 section 2).
enum SaltEdgeLink: Sendable, Equatable {
    case connect(SaltEdgeConnect)
    case action(SaltEdgeAction)
}

/// `authenticator://…/connect?configuration=<URL>[&connect_query=<opaque>]`
struct SaltEdgeConnect: Sendable, Equatable {
    var configuration: WebAddress
    /// A one-time secret for enrolling without a page; passed on as it is.
    var connectQuery: BankText?

    init(configuration: WebAddress, connectQuery: BankText?) {
        self.configuration = configuration
        self.connectQuery = connectQuery
    }
}

/// `authenticator://…/action?…`: something on a web page that this agent claims for one of its connections.
struct SaltEdgeAction: Sendable, Equatable {
    enum Target: Sendable, Equatable {
        /// v1: `action_uuid`, and the base URL that finds the connection.
        case uuid(BankText, bank: WebAddress)
        /// v2: `action_id` and `provider_id`.
        case id(BankText, provider: BankText)
    }

    var target: Target
    /// Where to go when finished. Other addresses than `https` or loopback `http` are never opened without asking.
    var returnTo: BankText?

    init(target: Target, returnTo: BankText?) {
        self.target = target
        self.returnTo = returnTo
    }
}
