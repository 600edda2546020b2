import Basics
import ApprovalModel
import Web

/// Facts about a new connection that a bank receives.
struct NewConnection {
    var configuration: BankConfiguration
    /// PEM.
    var publicKey: String
    var returnURL: String
    var connectQuery: BankText?
    var platform: String

    /// The next step for an address in the bank's answer: a page to open, or already the redirect (saltedge-v1 section
    /// 4.2).
    func next(_ address: String, _ answer: Answer) throws(BankError) -> CreatedConnection.Next {
        if Redirect.parse(address, returnURL: returnURL) != nil { return .redirect(address) }
        guard let page = try? WebAddress(address) else {
            throw answer.malformed("the page that the bank names for signing in is not a web address")
        }
        guard page.isAllowed(besides: configuration.source) else {
            throw BankError(.insecure, "the bank's page for signing in is a plain http address on this machine")
        }
        return .page(page)
    }
}

extension WebAddress {
    /// Whether calls may go to this address. Plain http is allowed only when the link's own configuration is on this
    /// machine, too: a link from elsewhere must not make this program call local services.
    func isAllowed(besides configuration: WebAddress) -> Bool { scheme == "https" || configuration.isLoopback }
}
