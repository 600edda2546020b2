import FoundationEssentials
import SCA

/// One request to a bank, as it will stand on the wire.
struct Call {
    /// How many bytes an answer may have.
    enum Limit {
        static let single = 1 << 20
        static let list = 16 << 20
    }

    var method: String
    var address: WebAddress
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    var limit = Limit.single

    /// Whether it may change something at the bank, so that an answer that never came leaves open what it did.
    var changes: Bool { method != "GET" }
}

/// What came back, whatever its status.
struct Answer {
    var status: Int
    var body: [UInt8] = []
    /// `Date`.
    var bankTime: Date?
    /// `Retry-After`, as seconds from now.
    var retryAfter: Int?
    /// `Location`.
    var location: String?
    /// When all of it was here.
    var receivedAt: ContinuousClock.Instant?

    /// Where a redirect leads; nil for any other answer.
    var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? location : nil }
}
