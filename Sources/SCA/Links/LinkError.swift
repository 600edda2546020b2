/// Why a link was refused. Equality is by code alone.
public struct LinkError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notALink, tooLong, unknownScheme, nothingUsable, incomplete, ambiguous, unknownVersion, badEncoding
            case badAddress
        }
        private var kind: Kind

        /// Not of the form `scheme:…?…` at all.
        public static let notALink = Code(kind: .notALink)
        public static let tooLong = Code(kind: .tooLong)
        /// A scheme that is not configured.
        public static let unknownScheme = Code(kind: .unknownScheme)
        /// No parameter that says what to do.
        public static let nothingUsable = Code(kind: .nothingUsable)
        /// An action link without all of its parameters.
        public static let incomplete = Code(kind: .incomplete)
        /// Both a connect link and a whole action link.
        public static let ambiguous = Code(kind: .ambiguous)
        /// An action link of a protocol version that we do not speak.
        public static let unknownVersion = Code(kind: .unknownVersion)
        /// A value with a broken percent escape, or that is not UTF-8.
        public static let badEncoding = Code(kind: .badEncoding)
        /// `configuration` or `connect_url` is not an address that we are ready to call; `address` says why.
        public static let badAddress = Code(kind: .badAddress)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String
    /// With `badAddress`: what is wrong with it.
    public var address: AddressError?

    init(_ code: Code, _ reason: String, address: AddressError? = nil) {
        self.code = code
        self.reason = reason
        self.address = address
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
