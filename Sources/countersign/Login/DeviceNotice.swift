import Basics
import Display
import Glibc
import Sessions

/// Shows the code of a device flow, and the page on which to enter it.
enum DeviceNotice {
    /// `hosts`: those that the person agreed to. A page elsewhere may be that of an honest issuer, whose code a hostile one passes on.
    static func show(_ code: DeviceCodePayload, agreed hosts: LoginOfferPayload.Hosts) {
        let pages = [code.verificationUri] + (code.verificationUriComplete.map { [$0] } ?? [])
        let foreign = Set(pages.map { (try? WebAddress($0).hostForPeople) ?? $0 }).subtracting([
            hosts.issuer, hosts.page,
        ])
        Terminal.say("Open this page, on this computer or another one:")
        Terminal.say(address: DisplayText(answered: code.verificationUri).line)
        Terminal.say("and enter the code:")
        Terminal.say("  \(DisplayText(answered: code.userCode).line(within: 64))")
        if let whole = code.verificationUriComplete {
            Terminal.say("This page has the code filled in; compare it:")
            Terminal.say(address: DisplayText(answered: whole).line)
            draw(whole)
        }
        // Below the addresses, since a long one would push it off the screen.
        if !foreign.isEmpty {
            let places = foreign.sorted().map { DisplayText(answered: $0).line(within: 200) }.joined(separator: ", ")
            Terminal.say(
                "warning: the page is at \(places), not at \(DisplayText(answered: hosts.issuer).line(within: 200)): enter the code only if you know both, and if the page says that it signs in to \(DisplayText(answered: hosts.issuer).line(within: 200))"
            )
        }
        // RFC 8628 section 5.4.
        Terminal.say(
            "Enter no code that somebody sent you or reads to you: it would sign them in as you."
                + (foreign.isEmpty ? " This one is yours alone." : ""))
        Terminal.say("Waiting for the issuer (ctrl-c cancels) …")
    }

    /// For a telephone's camera, on a terminal that is wide enough.
    private static func draw(_ address: String) {
        guard isatty(STDERR_FILENO) == 1, !Terminal.isDumb, !Terminal.isASCII, let code = DrawnCode(address),
            code.columns <= Terminal.columns
        else { return }
        Terminal.draw(code.text + "\n")
    }
}
