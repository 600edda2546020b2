/// Why no transport could be made from the settings.
package enum TransportError: Error, Sendable {
    /// The file of extra certificate authorities cannot be read, or holds no certificate.
    case badAuthorities
    /// The same of the authorities that are kept.
    case badKeptAuthorities
    /// `SSL_CERT_FILE` names none.
    case badSystemFile
    /// `SSL_CERT_DIR` names none.
    case badSystemDirectory
    /// `HTTPS_PROXY` is not the address of a proxy of a kind that we can use.
    case badProxy

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .badAuthorities: "the file of certificate authorities holds none, or cannot be read"
        case .badKeptAuthorities: "the kept certificate authorities cannot be read"
        case .badSystemFile: "SSL_CERT_FILE names no file of certificate authorities that can be read"
        case .badSystemDirectory: "SSL_CERT_DIR names no directory of certificate authorities that can be read"
        case .badProxy: "HTTPS_PROXY is not of the form http://host:port or socks5://host:port"
        }
    }
}
