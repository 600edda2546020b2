import AsyncHTTPClient
import Basics

/// The proxy that the environment names, and the hosts that are called without it. Written here because AsyncHTTPClient
/// takes a proxy but reads no environment.
struct ProxySettings {
    private(set) var proxy: HTTPClient.Configuration.Proxy?
    /// The proxy's host and port, to be shown; nil where there is none.
    var name: String? { proxy.map { "\($0.host):\($0.port)" } }
    private var exceptions: [Substring] = []

    /// Reads `HTTPS_PROXY` and `NO_PROXY`; the same names in lower case take precedence. Accepts
    /// `http://[user:password@]host[:port]`, `socks5://host[:port]` and `host[:port]`; an empty value counts as none.
    init(environment: [String: String]) throws(TransportError) {
        func value(_ name: String) -> String? {
            (environment[name.lowercased()] ?? environment[name]).flatMap { $0.isEmpty ? nil : $0 }
        }
        if let text = value("HTTPS_PROXY") {
            guard let parsed = Self.proxy(text) else { throw .badProxy }
            proxy = parsed
        }
        exceptions = (value("NO_PROXY") ?? "").lowercased().split { $0 == "," || $0.isWhitespace }
            .map { $0.hasPrefix("*.") ? $0.dropFirst() : $0 }
    }

    /// Whether calls to this address go through the proxy; never for loopback.
    func applies(to address: WebAddress) -> Bool {
        proxy != nil && !address.isLoopback
            && !exceptions.contains { exception in
                exception == "*" || address.host == exception || address.hostForPeople == exception
                    || address.host.hasSuffix(exception.hasPrefix(".") ? exception : "." + exception)
            }
    }

    private static func proxy(_ text: String) -> HTTPClient.Configuration.Proxy? {
        let mark = text.firstRange(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        var authority = (mark.map { text[$0.upperBound...] } ?? text[...]).prefix { $0 != "/" }
        var authorization: HTTPClient.Authorization?
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Percent.decode(user[0]), let password = Percent.decode(user.count == 2 ? user[1] : "")
            else {
                return nil
            }
            authorization = .basic(username: name, password: password)
            authority = authority[authority.index(after: at)...]
        }
        var port: Int?
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65535).contains(number) else {
                return nil
            }
            port = number
            authority = authority[..<colon]
        }
        let host = authority.filter { $0 != "[" && $0 != "]" }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        switch scheme {
        case "http": return .server(host: host, port: port ?? 80, authorization: authorization)
        case "socks5", "socks5h": return authorization == nil ? .socksServer(host: host, port: port ?? 1080) : nil
        default: return nil
        }
    }
}
