internal import Basics
internal import HTTPTypes
internal import Hummingbird

/// One request that the socket answers.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// The path, with `{name}` in the place of a parameter.
    let path: String
    /// The names that the query may have.
    let query: Set<String>
    /// The kind of body that the request has.
    let body: Body
    /// Whether it is cancelled when the caller leaves; else it runs to its end.
    let endsWithCaller: Bool
    let act: @Sendable (Inquiry) async throws -> Reply
    private let segments: [Segment]

    enum Body: Sendable {
        /// A request with a body is refused, and one whose framing is broken is not begun.
        case none
        /// A PIN or nothing.
        case pin
        case json
    }

    private enum Segment {
        case fixed(String)
        case parameter(String)
    }

    init(
        _ method: HTTPRequest.Method, _ path: String, query: Set<String> = [], body: Body = .none,
        endsWithCaller: Bool? = nil,
        act: @escaping @Sendable (Inquiry) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.endsWithCaller = endsWithCaller ?? (method == .get)
        self.act = act
        segments = Self.split(path).map { part in
            part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .fixed(String(part))
        }
    }

    /// The parameters in a raw path, nil when it is another route's. Throws a usage failure when one cannot be decoded.
    func parameters(in path: Substring) throws -> [String: String]? {
        let parts = Self.split(path)
        guard parts.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .fixed(let text): guard part == text else { return nil }
            case .parameter(let name):
                guard !part.isEmpty else { return nil }
                guard let value = Percent.decode(part) else { throw Failure.badEscape }
                parameters[name] = value
            }
        }
        return parameters
    }

    /// The decoded query of a request for this route. Throws a usage failure for what it does not know or finds twice, since
    /// a decision on which two programs differ is no decision.
    func parameters(inQuery query: Substring) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Percent.decode(parts[0]), let value = Percent.decode(parts.dropFirst().first ?? "") else {
                throw Failure.badEscape
            }
            guard self.query.contains(name) else {
                throw Failure.usage(
                    "a parameter in the query is not known here",
                    hint: self.query.isEmpty ? nil : "known: \(self.query.sorted().joined(separator: ", "))")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw Failure.usage("\(name) is given twice")
            }
        }
        return parameters
    }

    private static func split(_ path: some StringProtocol) -> [Substring] {
        Substring(path).dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}

extension Failure {
    fileprivate static let badEscape = Failure.usage("a percent escape cannot be read")
}
