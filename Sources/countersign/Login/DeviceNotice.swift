import Basics
import Display
import Glibc
import Sessions

/// Tells the person the code of a device flow, and where to enter it.
enum DeviceNotice {
    static func show(_ code: DeviceCode) {
        Terminal.say("Open this page, on this computer or another one:")
        Terminal.say("  \(code.page.text)")
        Terminal.say("and enter the code:")
        Terminal.say("  \(DisplayText(code.text).line(within: 64))")
        if let whole = code.wholePage {
            Terminal.say("This page has the code filled in; compare it:")
            Terminal.say("  \(whole.text)")
            draw(whole.text)
        }
        // RFC 8628 section 5.4.
        Terminal.say(
            "Enter no code that somebody sent you or reads to you: it would sign them in as you. This one is yours alone."
        )
        Terminal.say("Waiting for the issuer (ctrl-c cancels) …")
    }

    /// For a telephone's camera, on a terminal that is wide enough.
    private static func draw(_ address: String) {
        guard isatty(STDERR_FILENO) == 1, Environment.value("TERM") != "dumb", let code = DrawnCode(address),
            code.columns <= Terminal.columns
        else { return }
        Terminal.say(code.text)
    }
}
