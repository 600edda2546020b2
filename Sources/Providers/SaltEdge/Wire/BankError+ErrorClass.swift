import Basics
import ApprovalModel

extension BankError {
    /// Whether the server does not have this route, which it says by the status alone (saltedge-v1 section 9.3: no
    /// consents).
    var isOfNoSuchRoute: Bool { kind == .refused && errorClass == nil && [404, 405, 501].contains(status) }

    /// Translates a bank's `error_class` into our kinds; the only place that does so (saltedge-v1 section 12,
    /// saltedge-v2 section 10).
    init(errorClass: String?, status: Int, _ dialect: Dialect) {
        switch errorClass {
        case "ConnectionNotFound", "ConnectionRevoked":
            self.init(.connectionGone, "the bank no longer knows this connection")
        case "UserNotFound" where dialect == .v1:
            self.init(.connectionGone, "the bank no longer knows the user of this connection")
        case "AuthorizationNotFound":
            self.init(
                .authorizationGone, "the bank no longer has this request: decided elsewhere, cancelled or expired")
        case "ConsentNotFound":
            self.init(.consentGone, "the bank has no such consent")
        case "ActionNotFound":
            self.init(.actionRefused, "the bank has no such action")
        case "ActionExpired", "ActionNotValid", "ActionClosed":
            self.init(.actionRefused, "this action is over")
        case "SignatureExpired", "JWTExpiredSignature":
            self.init(.signatureExpired, "the bank's clock and ours differ")
        case "InvalidSignature", "JWTVerificationError", "JWTDecodeError", "JWTIncorrectAlgorithm", "InvalidPublicKey":
            self.init(.refused, "the bank did not accept our signature")
        case .some:
            self.init(.refused, "the bank refused")
        case nil where (300...399).contains(status):
            self.init(.refused, "the bank answered with a redirect, which is not followed")
        case nil:
            self.init(.refused, "the bank answered with HTTP status \(status) and did not say why")
        }
        self.errorClass = errorClass.map(BankText.init)
        self.status = status
    }
}
