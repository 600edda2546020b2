package import ApprovalModel
package import Approvals
package import Dialogue
package import Display
import FoundationEssentials

/// The questions of a pinentry, whose window may be far from the terminal or script that asks. `asker` names the
/// process that asks and the program that started it.
extension PinentryQuestion {
    /// The whole card, page by page; shown before a PIN is taken for it.
    static func pages(
        of card: Card, to verdict: Verdict, _ asker: DisplayText, at now: Date
    ) -> [PinentryQuestion] {
        pages(of: card, headline(verdict, card), asker, at: now) { "Page \($0) of \($1), then the PIN" }
    }

    /// The same for one request of several, before the person gives the verdict.
    static func pages(
        of card: Card, at place: Place, _ asker: DisplayText, at now: Date
    ) -> [PinentryQuestion] {
        pages(of: card, card.amount == nil ? "Request" : "Payment", asker, at: now) {
            "Request \(place.number) of \(place.count), page \($0) of \($1)"
        }
    }

    private static func pages(
        of card: Card, _ headline: StaticString, _ asker: DisplayText, at now: Date,
        numbered: (_ number: Int, _ count: Int) -> String
    ) -> [PinentryQuestion] {
        func details(_ number: Int, of count: Int) -> [DisplayText] {
            [text(numbered(number, count))]
        }
        let pages = pages(of: card.plainLines(at: now, askedBy: asker), below: headline, details(999, of: 999))
        return pages.enumerated().map { index, page in
            PinentryQuestion(headline, details: details(index + 1, of: pages.count), body: page, ok: "Next")
        }
    }

    /// Asks for the verdict on a request whose whole card was shown.
    static func decide(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Approve or deny?", details: essentials(of: card, asker), ok: "Approve", other: "Deny")
    }

    /// Asks for the PIN. If approving chooses an option, it is named.
    package static func pin(
        to verdict: Verdict, _ card: Card, choosing option: String? = nil, _ asker: DisplayText
    ) -> PinentryQuestion {
        let choice = option.map { text("Your choice: \($0)") }
        return PinentryQuestion(
            headline(verdict, card), details: essentials(of: card, asker, choosing: choice),
            brief: briefEssentials(of: card, choosing: choice), ok: verdict == .approve ? "Approve" : "Deny")
    }

    /// Asks for a yes to the verdict, without a PIN.
    static func agree(to verdict: Verdict, _ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            headline(verdict, card), details: essentials(of: card, asker), ok: verdict == .approve ? "Approve" : "Deny")
    }

    /// Asks whether to deny all requests that wait at one connection.
    package static func denyAll(_ crowd: Crowd, _ asker: DisplayText) -> PinentryQuestion {
        let cards = crowd.cards
        let places = cards.prefix(1).map { place(of: $0, within: longestShort) }
        return PinentryQuestion(
            "Deny them all?", details: [text("\(cards.count) requests wait there at once"), asker] + places,
            ok: "Deny all")
    }

    /// Asks for the amount or the title before the same request is approved once more.
    static func approveAgain(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        let isTitle = card.distinction == "title"
        let words = text("You approved the same a few minutes ago. Type its \(card.distinction) to approve it again.")
        return PinentryQuestion(
            isTitle ? "Type the title to approve the same again" : "Type the amount to approve the same again",
            details: [words] + essentials(of: card, asker),
            brief: [text("Type the \(card.distinction) to approve the same again:")]
                + [
                    short(
                        isTitle ? "Title" : "Amount", isTitle ? card.title : text(card.amount ?? ""),
                        within: briefWidth)
                ],
            prompt: .words(isTitle ? "Title:" : "Amount:"), ok: "Go on")
    }

    /// Asks which option the other side shows. It must be typed, so that nothing is chosen by habit.
    static func choose(
        _ card: Card, _ options: [String], _ asker: DisplayText, isAgain: Bool = false
    ) -> PinentryQuestion {
        let list = oneLine(text("One of: " + options.joined(separator: ", ")))
        return PinentryQuestion(
            "Type what the other side shows",
            details: [text("Approving means to choose. Type exactly what the page shows."), list]
                + essentials(of: card, asker),
            brief: [text("Type what the page shows, one of:"), text(options.joined(separator: ", "))],
            prompt: .words("Option:"), error: isAgain ? DisplayText("That is none of them") : nil, ok: "Go on")
    }

    /// Asks for a second yes after an option was refused.
    static func approveAfterRefusal(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            "Choose once more?",
            details: [text("What you chose was not accepted. After another wrong one it can only be denied.")]
                + essentials(of: card, asker), ok: "Choose again")
    }

    /// The bank counts wrong responses.
    static func approveInspite(of caution: Caution, _ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            "Approve it all the same?", details: [text(caution.words)] + essentials(of: card, asker), ok: "Go on")
    }

    /// Asks for the title of a card that shows little more than that.
    static func title(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            "Type the title to go on", details: [text("Read the warning of the card.")] + essentials(of: card, asker),
            prompt: .words("Title:"), ok: "Go on")
    }

    private static func headline(_ verdict: Verdict, _ card: Card) -> StaticString {
        switch verdict {
        case .approve: card.amount == nil ? "Approve request" : "Approve payment"
        case .deny: card.amount == nil ? "Deny request" : "Deny payment"
        }
    }

    private static func fingerprint(of card: Card) -> DisplayText {
        line("Fingerprint", DisplayText(card.fingerprint.short))
    }

    /// One line each, so that they fit into any window, in the order of the card. Where a PIN is asked for, the whole
    /// card was shown before.
    private static func essentials(
        of card: Card, _ asker: DisplayText, choosing choice: DisplayText? = nil
    ) -> [DisplayText] {
        let payment = [("Amount" as StaticString, card.amount), ("To", card.fields["payee"])].compactMap {
            label, value in
            value.flatMap { $0.isEmpty ? nil : short(label, text($0)) }
        }
        return [short("Title", card.title)] + payment + (choice.map { [oneLine($0)] } ?? []) + [
            place(of: card, within: longestShort), oneLine(asker), fingerprint(of: card),
        ]
    }

    /// Title, amount or choice or else the bank, and the fingerprint. The page before named all the rest.
    private static func briefEssentials(of card: Card, choosing choice: DisplayText? = nil) -> [DisplayText] {
        let width = briefWidth
        let payment = card.amount.map { amount in
            text("Amount: " + [amount, card.fields["payee"]].compactMap { $0 }.joined(separator: " to "))
        }
        let second = (choice ?? payment).map { oneLine($0, within: width) } ?? place(of: card, within: width)
        return [short("Title", card.title, within: width), second, fingerprint(of: card)]
    }

    /// Bank and host in one line. Cuts the bank's name first, and then the beginning of the host, since the owner of a
    /// domain can choose any beginning.
    private static func place(of card: Card, within width: Int) -> DisplayText {
        let measure = TextMeasure.proportional
        let (head, host) = ("Bank: ", card.host.line)
        let room = width - measure.size(head + host) - measure.size(" · ")
        if room >= min(8, measure.size(card.bank.line)), !card.bank.isBlank {
            return text(head + cut(card.bank.line, to: room) + " · " + host)
        }
        var rest = host.unicodeScalars[...]
        if measure.size(head + host) > width {
            while measure.size(head + "…" + String(rest)) > width, !rest.isEmpty { rest.removeFirst() }
            return text(head + "…" + String(rest))
        }
        return text(head + host)
    }
}
