package import Basics

/// The user's answer to an authorization. The wire says confirm for `approve`.
package enum Verdict: String, Sendable, Codable {
    case approve, deny
}

/// The result of a decision.
package enum Outcome: String, Sendable, Codable {
    case confirmed, denied, processing, refused, expired, unknown
    /// It was signed and logged, but nothing went out: the bank knows nothing of it.
    case unsent
}

/// How we know an outcome.
package enum Basis: String, Sendable, Codable {
    /// The bank said so.
    case answered
    /// The answer was lost, and the item disappeared before its `expires_at` (v1 has no status): somebody decided it,
    /// perhaps we. The outcome stays `unknown`; `DecisionEntry.likely` is the decision that was sent.
    case inferred
}

/// A position in WGS 84 decimal degrees, for banks that want it (saltedge-v1 section 11).
package struct Geolocation: Sendable, Equatable {
    package let latitude: String
    package let longitude: String

    /// Parses `48.137154,11.576124`: decimal degrees with a dot as decimal mark. Nil when malformed or out of range.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isDegrees(parts[0], within: 90), Self.isDegrees(parts[1], within: 180) else {
            return nil
        }
        latitude = String(parts[0])
        longitude = String(parts[1])
    }

    /// The wire form, `GEO:48.137154;11.576124`.
    package var wire: String { "GEO:\(latitude);\(longitude)" }

    private static func isDegrees(_ text: Substring, within limit: Double) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text
        guard let first = digits.utf8.first, let last = digits.utf8.last, first != UInt8(ascii: "."),
            last != UInt8(ascii: "."), digits.utf8.count <= 20,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }),
            let value = Double(String(text))
        else { return false }
        return abs(value) <= limit
    }
}

/// A decision as signed bytes that were not sent yet. A `BankService` makes it; it must be recorded before it can be
/// sent.
package struct SignedDecision: Sendable {
    package let authorization: Authorization
    package let verdict: Verdict
    /// The exact bytes under the signature (v1: the string to sign; v2: the JWS signing input). Empty if nothing is
    /// sent (`Authorization.isDenialTold`).
    package let signedBytes: [UInt8]
    /// The signature as it goes into the header.
    package let signature: String
    /// Everything that the service needs to send it, except the token.
    package let request: SignedRequest

    package init(
        authorization: Authorization, verdict: Verdict, signedBytes: [UInt8], signature: String, request: SignedRequest
    ) {
        self.authorization = authorization
        self.verdict = verdict
        self.signedBytes = signedBytes
        self.signature = signature
        self.request = request
    }
}

/// A request as it goes to the wire, except for the access token, which the service adds.
package struct SignedRequest: Sendable {
    package var method: String
    package var address: WebAddress
    package var headers: [(String, String)]
    package var body: [UInt8]

    package init(method: String, address: WebAddress, headers: [(String, String)], body: [UInt8]) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// A decision that the log holds as "sending". Only this type can be sent, and only a `DecisionLog` makes it.
package struct RecordedDecision: Sendable {
    package let decision: SignedDecision
    /// The number of its "sending" event in the log.
    package let sequence: Int64

    /// Marks the decision as under way until its call has ended.
    package let call: (any RunningCall)?

    package init(decision: SignedDecision, sequence: Int64, call: (any RunningCall)? = nil) {
        self.decision = decision
        self.sequence = sequence
        self.call = call
    }
}
