import Dialogue
import Display
import Glibc

/// Draws the code of a device flow, and the page on which to enter it.
enum DeviceNotice {
    static func show(_ card: DeviceCard) {
        Terminal.say("Open this page, on this computer or another one:")
        Terminal.say(address: card.page.line)
        Terminal.say("and enter the code:")
        Terminal.say("  \(card.code.line(within: 64))")
        if let whole = card.whole {
            Terminal.say("This page has the code filled in; compare it:")
            Terminal.say(address: DisplayText(answered: whole).line)
            draw(whole)
        }
        // Below the addresses, since a long one would push it off the screen.
        if let warning = card.warning { Terminal.say("warning: " + warning) }
        Terminal.say(card.caution)
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
