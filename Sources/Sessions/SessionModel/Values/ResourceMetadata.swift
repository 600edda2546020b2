package import Basics

/// A service's description of itself (RFC 9728 section 2), well-formed and not yet judged. All texts are the service's:
/// untrusted.
package struct ResourceMetadata: Sendable, Equatable {
    /// Where it was found.
    package var place: WebAddress
    package var resource: BankText
    /// Nil where it names none.
    package var issuers: [BankText]?
    package var scopes: [BankText]?
    /// How it takes tokens; nil where it does not say.
    package var methods: [BankText]?

    package init(
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
package struct MetadataFinding: Sendable, Equatable {
    package enum Field: String, Sendable {
        case resource
        case issuers = "authorization_servers"
        case scopes = "scopes_supported"
        case methods = "bearer_methods_supported"
    }

    package var field: Field
    /// False for a contradiction.
    package var isGood: Bool
    /// In words that are safe to show, about text that is made safe: lower case, no full stop.
    package var words: String

    package init(field: Field, isGood: Bool, words: String) {
        (self.field, self.isGood, self.words) = (field, isGood, words)
    }
}
