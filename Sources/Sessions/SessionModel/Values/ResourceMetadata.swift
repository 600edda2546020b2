public import Basics

/// A service's description of itself (RFC 9728 section 2), well-formed and not yet judged. All texts are the service's:
/// untrusted.
public struct ResourceMetadata: Sendable, Equatable {
    /// Where it was found.
    public var place: WebAddress
    public var resource: BankText
    /// Nil where it names none.
    public var issuers: [BankText]?
    public var scopes: [BankText]?
    /// How it takes tokens; nil where it does not say.
    public var methods: [BankText]?

    public init(
        place: WebAddress, resource: BankText, issuers: [BankText]? = nil, scopes: [BankText]? = nil,
        methods: [BankText]? = nil
    ) {
        self.place = place
        self.resource = resource
        self.issuers = issuers
        self.scopes = scopes
        self.methods = methods
    }
}

/// The meaning of one member of a service's metadata for a site.
public struct MetadataFinding: Sendable, Equatable {
    public enum Field: String, Sendable {
        case resource
        case issuers = "authorization_servers"
        case scopes = "scopes_supported"
        case methods = "bearer_methods_supported"
    }

    public var field: Field
    /// False for a contradiction.
    public var isGood: Bool
    /// In words that are safe to show, about text that is made safe: lower case, no full stop.
    public var words: String
}
