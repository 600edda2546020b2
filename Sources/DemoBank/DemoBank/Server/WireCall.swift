import Hummingbird

/// One call of the protocol as it was received, with body and path byte for byte.
struct WireCall: Sendable {
    var method: String
    /// `scheme://host[:port]` of the bank as the caller named it, without a default port.
    var origin: String
    /// The raw path, percent escapes untouched, without the query.
    var path: String
    var query: String?
    var headers: HTTPFields
    var body: [UInt8]

    /// Reads the whole call; a body over 1 MiB is refused.
    init(_ request: Request, scheme: String) async throws {
        let target = request.head.path ?? "/"
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = request.method.rawValue
        path = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        headers = request.headers
        body = Array(try await request.body.collect(upTo: 1 << 20).readableBytesView)

        var host = request.head.authority ?? ""
        let defaultPort = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(defaultPort) { host.removeLast(defaultPort.count) }
        origin = "\(scheme)://\(host)"
    }

    /// A header by its name in any case; an empty one counts as absent.
    func header(_ name: String) -> String? {
        guard let field = HTTPFields.Element.Name(name), let value = headers[field], !value.isEmpty else { return nil }
        return value
    }
}
