import Basics
import FoundationEssentials
package import Keys

/// Facts about a session's ID token, besides the token itself.
package struct IDTokenState: Sendable, Codable {
    package var receivedAt: Moment
    /// Whether the last renewal brought an ID token. Nil if there was no renewal yet.
    package var isRenewed: Bool?
    /// When a service last rejected an ID token of this session.
    package var rejectedAt: Moment?
    /// Whether the present ID token was rejected, and another may replace it.
    package var isDropped: Bool?
    /// Why the ID token of the last renewal cannot be used, in our own words; nil if it can.
    package var fault: String?

    package init(at moment: Moment) { receivedAt = moment }
}

/// When an ID token was made and when it runs out, by its issuer's clock (OpenID Connect Core 1.0 section 2). Its signature was checked when
/// it came.
package struct IDTokenTimes: Equatable {
    package var issuedAt: Double?
    package var expiresAt: Double

    private struct Claims: Decodable {
        var exp: Double
        var iat: Double?
    }

    /// Nil for a text that is no ID token.
    package init?(_ token: SecretSlot) {
        guard let claims = token.claims(Claims.self), claims.exp.isFinite, abs(claims.exp) < 1e12 else { return nil }
        (issuedAt, expiresAt) = (claims.iat.flatMap { $0.isFinite && abs($0) < 1e12 ? $0 : nil }, claims.exp)
    }

    /// How long it lives in all, in seconds; nil where the issuer does not say when it was made.
    package var lifetime: Int64? { issuedAt.map { Int64(max(0, expiresAt - $0)) } }

    /// How many seconds it can still be used. Counted from when it came, if that is known, since the issuer's clock may differ.
    package func secondsLeft(at now: Moment, receivedAt: Moment?) -> Int64 {
        if let lifetime, let receivedAt { return now.secondsLeft(of: lifetime, since: receivedAt) }
        return max(0, Int64(expiresAt - now.wall.timeIntervalSince1970) - 60)
    }
}
