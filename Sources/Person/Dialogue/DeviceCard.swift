import Basics
package import Display
package import Sessions

/// The code of a device flow, the page on which the person enters it, and the warnings about both.
package struct DeviceCard: Sendable, Equatable {
    package let code: DisplayText
    package let page: DisplayText
    /// The address of the same page with the code filled in.
    package let whole: String?
    /// The page is at a host that the person did not agree to. It may be that of an honest issuer, whose code a hostile one passes on.
    package let warning: String?
    /// RFC 8628 section 5.4.
    package let caution: String

    /// `hosts`: those that the person agreed to.
    package init(_ code: DeviceCodePayload, agreed hosts: LoginOfferPayload.Hosts) {
        self.code = DisplayText(answered: code.userCode)
        page = DisplayText(answered: code.verificationUri)
        whole = code.verificationUriComplete
        let pages = [code.verificationUri] + (code.verificationUriComplete.map { [$0] } ?? [])
        let foreign = Set(pages.map { (try? WebAddress($0).hostForPeople) ?? $0 }).subtracting([
            hosts.issuer, hosts.page,
        ])
        let places = foreign.sorted().map { DisplayText(answered: $0).line(within: 200) }.joined(separator: ", ")
        let issuer = DisplayText(answered: hosts.issuer).line(within: 200)
        warning =
            foreign.isEmpty
            ? nil
            : "the page is at \(places), not at \(issuer): enter the code only if you know both, and if the page says that it signs in to \(issuer)"
        caution =
            "Enter no code that somebody sent you or reads to you: it would sign them in as you."
            + (foreign.isEmpty ? " This one is yours alone." : "")
    }
}
