/// An absolute URL that we may call or open: `https`, or `http` on a loopback address.
///
/// Normal form: scheme and host in lower case (a name as punycode), no default port, no user information; bytes that
/// may not stand in a URL are percent-encoded, existing escapes are untouched (saltedge-v1 sections 2.3 and 6.2). For
/// base URLs see `base`.
package struct WebAddress: Sendable, Hashable {
    /// `https` or `http`.
    package let scheme: String
    /// Lower case; a name in punycode, an IPv4 literal, or `[::1]`.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?
    /// The raw path, percent escapes untouched; empty or beginning with `/`.
    package let path: String
    /// The raw query without `?`; nil when there is none.
    package let query: String?
    /// The raw fragment without `#`: for pages that a browser opens; it never goes over the wire.
    package let fragment: String?

    init(scheme: String, host: String, port: Int?, path: String, query: String?, fragment: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// The whole address, as it is called and stored.
    package var text: String {
        origin + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// Scheme, host and port: `https://bank.example:8443`.
    package var origin: String { "\(scheme)://\(hostForPeople)" }

    /// Host, with the port when it is not the scheme's own.
    package var hostForPeople: String { port.map { "\(host):\($0)" } ?? host }

    /// Whether the host is this machine: `localhost`, `[::1]` or 127.0.0.0/8.
    package var isLoopback: Bool { HostRules.isLoopback(host) }

    /// The address that calls are appended to: no query, no fragment, no trailing `/` (saltedge-v1 section 6.2). Two
    /// base URLs mean the same bank when their `base` is equal (saltedge-v1 section 9.4).
    package var base: WebAddress {
        var trimmed = Substring(path)
        while trimmed.last == "/" { trimmed.removeLast() }
        return WebAddress(scheme: scheme, host: host, port: port, path: String(trimmed), query: nil)
    }

    /// `base` with `path` behind it. `path` begins with `/` and is already percent-encoded.
    package func appending(path suffix: String) -> WebAddress {
        WebAddress(scheme: scheme, host: host, port: port, path: base.path + suffix, query: nil)
    }

    /// The address that a `Location` means: an absolute one, or an absolute path. Nil for an address that this program
    /// would not call.
    package func resolving(_ location: String) -> WebAddress? {
        if location.hasPrefix("//") { return try? WebAddress("\(scheme):\(location)") }
        return try? WebAddress(location.hasPrefix("/") ? origin + location : location)
    }
}

extension WebAddress: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try WebAddress(try container.decode(String.self))
        } catch let error as AddressError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
