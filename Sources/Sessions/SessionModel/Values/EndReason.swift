/// Why a session ended.
package enum EndReason: String, Sendable, Codable {
    /// The issuer no longer accepts it.
    case rejected
    /// The answer to a renewal was lost before it could be stored, and the issuer no longer accepts the old token.
    case interrupted
    /// The ID token of a renewal was of another person, issuer or client.
    case changed
    /// Its tokens were changed from outside and cannot be read.
    case damaged
    /// The person signed out, and the revocation is on its way to the issuer.
    case signedOut = "signed_out"
    /// The time came at which the person wanted it signed out.
    case timeOver = "time_over"
    /// The person logged out, or left the computer in another way at which they wanted it signed out.
    case left

    /// Whether the person ended it. Nothing but a new login undoes that.
    package var isByPerson: Bool {
        switch self {
        case .signedOut, .timeOver, .left: true
        case .rejected, .interrupted, .changed, .damaged: false
        }
    }
}
