/// Why a text is not an address that we would call.
package enum AddressError: Error, Sendable {
    case controlCharacters
    case notAbsolute
    /// A scheme other than `https` and `http`.
    case otherScheme
    /// Plain `http`, and the host is not loopback.
    case insecure
    /// `user@host`: it makes one host look like another.
    case userInformation
    /// A backslash behind the host, which some readers take for a slash.
    case backslash
    /// The host is neither a name nor an address in its usual form.
    case badHost
    case longHost
    /// The last label is a number, but the host is no IPv4 address in its usual form.
    case badIPv4
    /// A name without a dot other than `localhost` (saltedge-v1 section 2.3).
    case dotlessHost
    /// An IPv6 address other than `[::1]`.
    case foreignIPv6
    /// A name with characters that cannot be turned into punycode without guessing.
    case foreignHost
    case badPort
    case tooLong

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .controlCharacters: "the address holds control characters"
        case .notAbsolute: "this is not an absolute address"
        case .otherScheme: "the address is neither https nor http"
        case .insecure: "the address is not https"
        case .userInformation: "the address names a user in front of its host"
        case .backslash: "the address has a backslash after its host"
        case .badHost: "the host is not a name"
        case .longHost: "the host is too long"
        case .badIPv4: "the host is not a whole IPv4 address"
        case .dotlessHost: "the host has no dot"
        case .foreignIPv6: "the host is an IPv6 address and not [::1]"
        case .foreignHost: "the host has characters that must be written in punycode (xn--)"
        case .badPort: "the port of the address is not a number from 1 to 65535"
        case .tooLong: "the address is longer than 8 KiB"
        }
    }
}
