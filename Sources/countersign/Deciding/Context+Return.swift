import Authenticator
import Basics
import Display
import Pinentry

extension Context {
    /// Offers to open the page that an approved request leads back to. The page comes from an unsigned link, so it is
    /// opened only after a yes.
    func offerReturn(of card: Card) async {
        guard !options.json, !options.quiet, prompts.canAsk, let page = card.returnPage else {
            return
        }
        let question = PinentryQuestion(
            "Open this page in the browser?", details: [PinentryQuestion.line("Page", DisplayText(page.text))],
            ok: "Open")
        // No answer means no; the decision stands in either case.
        guard (try? prompts.confirm("Open \(DisplayText(page.text).line) in the browser?", question)) == true
        else { return }
        await LedBrowser.visit(page, unless: isRecalled) { page in
            guard !terminal.isInteractive else { return }
            let pinentry = Pinentry(program: settings.pinentry, environment: Environment.all, tty: nil)
            // The decision stands, whether a window can be shown or not.
            try? await blocking {
                try pinentry.message(
                    PinentryQuestion(
                        "No browser came for the page. You can open it yourself:", details: [DisplayText(page.text)]))
            }
        }
    }
}

extension Card {
    /// The page that the request leads back to; nil if there is none, or its address cannot be used.
    fileprivate var returnPage: PageAddress? { fields["return_to"].flatMap { try? PageAddress($0) } }
}
