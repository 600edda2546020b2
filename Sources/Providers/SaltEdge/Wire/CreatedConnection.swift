import Basics
import SCA

/// The bank's answer to an uploaded public key: what comes next (saltedge-v1 section 4.2, saltedge-v2 section 6.1).
struct CreatedConnection: Sendable {
    enum Next: Sendable {
        /// Finished, no web page.
        case token(any Secret)
        /// The answer itself is the redirect.
        case redirect(String)
        /// The user signs in on this page.
        case page(WebAddress)
    }

    /// Nil when the bank will tell it in the redirect only.
    var id: BankID?
    var next: Next

}
