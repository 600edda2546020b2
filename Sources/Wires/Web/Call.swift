package import Basics
package import FoundationEssentials

/// One HTTP request, as it will be sent.
package struct Call: Sendable {
    /// How many bytes an answer may have: 1 MiB, or 16 MiB for a list.
    package enum Limit {
        package static let single = 1 << 20
        package static let list = 16 << 20
    }

    /// In upper case.
    package var method: String
    package var address: WebAddress
    package var headers: [(String, String)]
    /// Sent unchanged; empty for none.
    package var body: [UInt8]
    /// The largest body of an answer in bytes.
    package var limit: Int
    /// How long the server may take to answer.
    package var pace = Pace.usual

    package enum Pace: Sendable {
        /// Three quarters of the usual time: the call comes again soon, if it may.
        case quick
        case usual
        /// Three times as long, since the server makes a key meanwhile.
        case slow
    }

    package init(
        method: String, address: WebAddress, headers: [(String, String)] = [], body: [UInt8] = [],
        limit: Int = Limit.single
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.limit = limit
    }

    /// Whether the request may change something at the server. If so, a lost answer leaves its effect unknown.
    var changes: Bool { method != "GET" }
}

/// The answer to a request, with any status.
package struct Answer: Sendable {
    package var status: Int
    package var body: [UInt8] = []
    /// `Date`: the server's clock.
    package var serverTime: Date?
    /// `Retry-After`, as seconds from now.
    package var retryAfter: Int?
    /// `Location`.
    package var location: String?
    /// Each `WWW-Authenticate`, as received.
    package var challenges: [String] = []
    /// When the last byte had arrived.
    package var receivedAt: ContinuousClock.Instant?

    package init(
        status: Int, body: [UInt8] = [], serverTime: Date? = nil, retryAfter: Int? = nil, location: String? = nil
    ) {
        self.status = status
        self.body = body
        self.serverTime = serverTime
        self.retryAfter = retryAfter
        self.location = location
    }

    /// Where a redirect leads; nil for any other answer.
    package var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? location : nil }
}
