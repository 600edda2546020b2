/// The error classes of saltedge-v2 section 10. The HTTP status of each is not known; these are plausible ones.
struct V2Errors: Sendable {
    let style: Bank.Style

    private func error(_ status: Int, _ errorClass: String, _ message: String) -> WireError {
        WireError(status: status, errorClass: errorClass, message: message)
    }

    var tokenMissing: WireError { error(400, "AccessTokenMissing", "Access token is missing") }
    var connectionNotFound: WireError { error(401, "ConnectionNotFound", "Connection was not found") }
    var connectionRevoked: WireError { error(401, "ConnectionRevoked", "Connection is revoked") }
    var userNotFound: WireError { error(404, "UserNotFound", "The connection has no user") }
    var authorizationNotFound: WireError { error(404, "AuthorizationNotFound", "Authorization was not found") }
    var consentNotFound: WireError { error(404, "ConsentNotFound", "Consent was not found") }
    var providerNotFound: WireError { error(404, "ProviderNotFound", "Provider was not found") }
    var actionNotFound: WireError { error(404, "ActionNotFound", "Action was not found") }
    var actionClosed: WireError { error(400, "ActionClosed", "Action is closed") }
    var actionExpired: WireError { error(400, "ActionExpired", "Action is expired") }
    var invalidPublicKey: WireError { error(400, "InvalidPublicKey", "The public key cannot be used") }
    var signatureMissing: WireError { error(400, "SignatureMissing", "Signature is missing") }

    func wrongRequest(_ message: String) -> WireError { error(400, "WrongRequestFormat", message) }

    /// The Java provider has three classes for a bad signature, the Ruby provider's verifier has one for each reason.
    func signature(_ fault: DetachedJWS.Fault) -> WireError {
        let (java, ruby, message) =
            switch fault {
            case .malformed: ("InvalidSignature", "JWTDecodeError", "The signature is not a detached JWS")
            case .wrongAlgorithm: ("InvalidSignature", "JWTIncorrectAlgorithm", "The algorithm is not RS256")
            case .wrongSignature: ("InvalidSignature", "JWTVerificationError", "The signature does not match the body")
            case .expiryMissing: ("SignatureExpired", "JWTClaimMissing", "The claim exp is missing")
            case .expired: ("SignatureExpired", "JWTExpiredSignature", "The signature is expired")
            }
        return error(400, style == .java ? java : ruby, message)
    }
}
