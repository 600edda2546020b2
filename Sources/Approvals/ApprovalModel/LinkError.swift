package import Basics

/// Why a link was refused. Equality is by code alone.
package struct LinkError: Error, Sendable, Equatable {
    package enum Code: Sendable {
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
        /// `configuration` or `connect_url` is not an address that we may call; `address` says why.
        case badAddress
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String
    /// With `badAddress`: the fault of the address.
    package var address: AddressError?

    package init(_ code: Code, _ reason: String, address: AddressError? = nil) {
        self.code = code
        self.reason = reason
        self.address = address
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
