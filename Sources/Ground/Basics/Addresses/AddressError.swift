/// Why a text is not an address that we would call. Two errors with the same code are equal.
package struct AddressError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// Not an absolute `http` or `https` URL.
        case malformed
        /// Plain `http`, and the host is not loopback.
        case insecure
        /// `user@host`: it makes one host look like another.
        case userInformation
        /// The host is neither a name nor an address in its usual form.
        case badHost
        /// A name without a dot other than `localhost`, or an IPv6 address other than `[::1]` (saltedge-v1 section
        /// 2.3).
        case dotlessHost
        /// A name with characters that cannot be turned into punycode without guessing.
        case foreignHost
        case badPort
        case tooLong
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
