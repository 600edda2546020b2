package import Basics

/// Why a link was refused.
package struct LinkError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The text does not have the form `scheme:…`.
        case notALink
        case tooLong
        /// Copying changed the link in a way that leaves more than one meaning.
        case broken
        /// The link is for a kind of token that no provider has.
        case otherKind
        /// No provider reads links of this scheme.
        case unknownScheme
        /// The link has no parameter that names an action.
        case nothingUsable
        /// An action link that lacks a parameter.
        case incomplete
        /// Both a connect link and a whole action link.
        case ambiguous
        /// An action link of a protocol version that we do not speak.
        case unknownVersion
        /// The link has expired.
        case over
        /// A value with a broken percent escape, or a value that is not UTF-8.
        case badEncoding
        /// A parameter is not an address that we may call.
        case badAddress(AddressError)
        /// An address that may be called, but to which no link of this kind may lead.
        case foreignAddress
    }

    package var kind: Kind
    /// Our own words, safe to show.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
