/// The links of one app that speaks Tiqr: their schemes, and the hosts that they may name. Both depend on the app's
/// configuration, not on the protocol.
package struct TiqrFamily: Sendable {
    /// The schemes of links that enroll, in lower case.
    package var enrollSchemes: Set<String>
    /// The schemes of links that carry a challenge, in lower case.
    package var challengeSchemes: Set<String>
    /// The hosts of https links of either kind.
    package var linkHosts: Set<String>
    /// The hosts that a link may name, including their subdomains; nil for any host.
    package var allowedHosts: [String]?
    /// Notes for the person before an account is connected.
    package var notes: [String]

    package init(
        enrollSchemes: Set<String>, challengeSchemes: Set<String>, linkHosts: Set<String>,
        allowedHosts: [String]? = nil, notes: [String] = []
    ) {
        self.enrollSchemes = enrollSchemes
        self.challengeSchemes = challengeSchemes
        self.linkHosts = linkHosts
        self.allowedHosts = allowedHosts
        self.notes = notes
    }

    /// Sites of any operator. `tiqr` is the scheme that the server library uses if a site configures none.
    package static let anyone = TiqrFamily(
        enrollSchemes: ["tiqrenroll"], challengeSchemes: ["tiqrauth", "tiqr"], linkHosts: ["tiqr.org"])

    package static let eduID = TiqrFamily(
        enrollSchemes: ["eduidenroll"], challengeSchemes: ["eduidauth"], linkHosts: ["eduid.nl"],
        allowedHosts: ["eduid.nl", "surfconext.nl"],
        notes: ["Finish the steps in the browser afterwards: without them the site deletes the account after an hour."])

    /// Whether a link may name this host: an allowed host or a subdomain of one.
    func allows(_ host: String) -> Bool {
        guard let allowedHosts else { return true }
        let host = host.lowercased()
        return allowedHosts.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
