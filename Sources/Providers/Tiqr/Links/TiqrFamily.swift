/// The links of one app that speaks Tiqr: their schemes, and the hosts that they may name. Both depend on the app's
/// configuration, not on the protocol.
public struct TiqrFamily: Sendable {
    /// The schemes of links that enroll, in lower case.
    public var enrollSchemes: Set<String>
    /// The schemes of links that carry a challenge, in lower case.
    public var challengeSchemes: Set<String>
    /// The hosts of https links of either kind.
    public var linkHosts: Set<String>
    /// The hosts that a link may name, including their subdomains; nil for any host.
    public var allowedHosts: [String]?
    /// Notes for the person before an account is connected.
    public var notes: [String]

    public init(
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
    public static let anyone = TiqrFamily(
        enrollSchemes: ["tiqrenroll"], challengeSchemes: ["tiqrauth", "tiqr"], linkHosts: ["tiqr.org"])

    public static let eduID = TiqrFamily(
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
