import Basics
import ApprovalModel

/// The content of the address to which a bank's page redirected the browser (saltedge-v1 section 5, saltedge-v2 section
/// 6.2).
enum Redirect: Sendable, Equatable {
    /// Success, not verified yet.
    struct Grant: Sendable, Equatable {
        /// As decoded once from the address: v1 the token itself, v2 Base64 of the sealed token.
        var accessToken: BankText
        /// The connection's id, when the redirect names one.
        var id: BankID?

        init(accessToken: BankText, id: BankID?) {
            self.accessToken = accessToken
            self.id = id
        }
    }

    /// Failure, in the bank's words. They are only shown; no decision depends on them.
    struct Refusal: Error, Sendable, Equatable {
        var errorClass: BankText?
        var message: BankText?

        init(errorClass: BankText?, message: BankText?) {
            self.errorClass = errorClass
            self.message = message
        }
    }

    case grant(Grant)
    case refusal(Refusal)
}
