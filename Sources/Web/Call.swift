package import Basics
package import FoundationEssentials

/// One HTTP request, as it will stand on the wire.
package struct Call: Sendable {
    /// How many bytes an answer may have.
    package enum Limit {
        package static let single = 1 << 20
        package static let list = 16 << 20
    }

    package var method: String
    package var address: WebAddress
    package var headers: [(String, String)]
    package var body: [UInt8]
    package var limit: Int

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

    /// Whether it may change something at the server, so that an answer that never came leaves open what it did.
    var changes: Bool { method != "GET" }
}

/// What came back, whatever its status.
package struct Answer: Sendable {
    package var status: Int
    package var body: [UInt8] = []
    /// `Date`: the server's clock.
    package var serverTime: Date?
    /// `Retry-After`, as seconds from now.
    package var retryAfter: Int?
    /// `Location`.
    package var location: String?
    /// When all of it was here.
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
