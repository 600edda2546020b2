/// An absolute URL that we are ready to call: `https`, or `http` on a loopback address.
///
/// Normal form: scheme and host in lower case (host as punycode), no default port, no user information, no fragment. For
/// base URLs see `base`. Rules: design "Talking to banks", saltedge-v1 sections 2.3 and 6.2.
public struct WebAddress: Sendable, Hashable, Codable {
    public let scheme: String
    /// Lower case; a name in punycode, an IPv4 literal, or an IPv6 literal in brackets.
    public let host: String
    /// Nil for the scheme's default port.
    public let port: Int?
    /// The raw path, percent escapes untouched; empty or beginning with `/`.
    public let path: String
    /// The raw query without `?`; nil when there is none.
    public let query: String?

    init(scheme: String, host: String, port: Int?, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }
}
