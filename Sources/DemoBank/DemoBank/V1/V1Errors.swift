/// The error classes of saltedge-v1 section 12, in the words and statuses of the two sample servers.
struct V1Errors: Sendable {
    let style: Bank.Style

    private func error(_ status: Int, _ errorClass: String, ruby: String? = nil, _ message: String) -> WireError {
        switch style {
        case .java: WireError(status: status, errorClass: errorClass, message: message)
        // The Ruby server answers every error with 400.
        case .ruby: WireError(status: 400, errorClass: ruby ?? errorClass, message: message)
        }
    }

    var tokenMissing: WireError {
        error(400, "AccessTokenMissing", ruby: "AuthorizationRequired", "Access token is missing")
    }
    var connectionNotFound: WireError { error(401, "ConnectionNotFound", "Connection was not found or is revoked") }
    var userNotFound: WireError { error(404, "UserNotFound", "The connection has no user") }
    var signatureMissing: WireError { error(400, "SignatureMissing", "Signature is missing") }
    var signatureExpired: WireError { error(400, "SignatureExpired", "Signature is expired") }
    var invalidSignature: WireError { error(400, "InvalidSignature", "Signature does not match the request") }
    var authorizationNotFound: WireError { error(404, "AuthorizationNotFound", "Authorization was not found") }
    var actionNotFound: WireError { error(404, "ActionNotFound", "Action was not found") }
    var actionExpired: WireError { error(400, "ActionExpired", ruby: "ActionNotValid", "Action is expired or used") }

    func wrongRequest(_ message: String) -> WireError {
        error(400, "WrongRequestFormat", ruby: "BadRequest", message)
    }

    /// The body is not JSON.
    var notJSON: WireError {
        error(400, "WrongRequestFormat", ruby: "JSON::ParserError", "The body is not JSON")
    }

    /// The Java server answers an invalid create-connection body and a path id that is no number with an empty 400.
    func emptyOr(_ other: WireError) -> WireError {
        style == .java ? WireError(status: 400, errorClass: nil, message: "") : other
    }
}
