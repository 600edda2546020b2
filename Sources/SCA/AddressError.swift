/// Why a text is not an address that we are ready to call. Equality is by code alone.
public struct AddressError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case malformed, insecure, userInformation, badHost, dotlessHost, foreignHost, badPort, tooLong
        }
        private var kind: Kind

        /// Not an absolute `http` or `https` URL.
        public static let malformed = Code(kind: .malformed)
        /// Plain `http`, and the host is not loopback.
        public static let insecure = Code(kind: .insecure)
        /// `user@host`: it makes one host look like another.
        public static let userInformation = Code(kind: .userInformation)
        /// The host is neither a name nor an address in its usual form.
        public static let badHost = Code(kind: .badHost)
        /// A name without a dot, or an IPv6 address, which is not loopback (saltedge-v1 section 2.3).
        public static let dotlessHost = Code(kind: .dotlessHost)
        /// A name with characters that cannot be turned into punycode without guessing.
        public static let foreignHost = Code(kind: .foreignHost)
        public static let badPort = Code(kind: .badPort)
        public static let tooLong = Code(kind: .tooLong)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
