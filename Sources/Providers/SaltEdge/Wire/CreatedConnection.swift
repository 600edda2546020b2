import Basics
import ApprovalModel

/// The bank's answer to the uploaded public key, with the next step (saltedge-v1 section 4.2, saltedge-v2 section 6.1).
struct CreatedConnection: Sendable {
    enum Next: Sendable {
        /// The enrollment is finished without a web page.
        case token(any Secret)
        /// The answer itself has the redirected address.
        case redirect(String)
        /// The user signs in on this page.
        case page(WebAddress)
    }

    /// The connection's id at the bank; nil when only the redirect will have it.
    var id: BankID?
    var next: Next

}
