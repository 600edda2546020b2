import Client
import Approvals
import Basics
import Dialogue
import Display
import Pinentry

extension Context {
    /// Offers to open the page that an approved request leads back to. The page comes from an unsigned link, so it is
    /// opened only after a yes.
    func offerReturn(of card: Card) async {
        guard !options.json, !options.quiet, prompts.canAsk, let page = card.returnPage else {
            return
        }
        // No answer means no; the decision stands in either case.
        let ask = Ask.yesNo(.open(DisplayText(page.text)))
        guard (try? prompts.answer(ask)) == .yes else { return }
        await Terminal.visit(page, unless: isRecalled) { page in
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
