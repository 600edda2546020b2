import Basics
import Display
import Glibc
import Sessions

/// Tells the person the code of a device flow, and where to enter it.
enum DeviceNotice {
    static func show(_ code: DeviceCodePayload) {
        Terminal.say("Open this page, on this computer or another one:")
        Terminal.say("  \(DisplayText(answered: code.verificationUri).line)")
        Terminal.say("and enter the code:")
        Terminal.say("  \(DisplayText(answered: code.userCode).line(within: 64))")
        if let whole = code.verificationUriComplete {
            Terminal.say("This page has the code filled in; compare it:")
            Terminal.say("  \(DisplayText(answered: whole).line)")
            draw(whole)
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
