/// Why no transport could be made from the settings. Two errors with the same code are equal.
package struct TransportError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// The file of extra certificate authorities cannot be read, or holds no certificate.
        case badAuthorities
        /// `SSL_CERT_FILE` or `SSL_CERT_DIR` names none.
        case badSystemAuthorities
        /// `HTTPS_PROXY` is not the address of a proxy of a kind that we can use.
        case badProxy
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
