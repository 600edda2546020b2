public import Basics

/// What a bank's page led the browser back with (saltedge-v1 section 5, saltedge-v2 section 6.2).
public enum Redirect: Sendable, Equatable {
    /// Success, not yet proved.
    public struct Grant: Sendable, Equatable {
        /// As decoded once from the address: v1 the token itself, v2 Base64 of the sealed token.
        public var accessToken: BankText
        /// The connection's id, when the redirect names one.
        public var id: BankID?

        public init(accessToken: BankText, id: BankID?) {
            self.accessToken = accessToken
            self.id = id
        }
    }

    /// Failure, in the bank's words; do not branch on them.
    public struct Refusal: Error, Sendable, Equatable {
        public var errorClass: BankText?
        public var message: BankText?

        public init(errorClass: BankText?, message: BankText?) {
            self.errorClass = errorClass
            self.message = message
        }
    }

    case grant(Grant)
    case refusal(Refusal)
}
