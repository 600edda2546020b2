/// Why a session ended.
public enum EndReason: String, Sendable, Codable {
    /// The issuer no longer accepts it.
    case rejected
    /// The answer to a renewal was lost before it could be stored, and the issuer takes the old token no more.
    case interrupted
    /// The ID token of a renewal was not right.
    case changed
    /// The person signed out, and the issuer is being told.
    case signedOut = "signed_out"
}
