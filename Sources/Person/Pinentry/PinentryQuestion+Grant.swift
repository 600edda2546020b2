package import Dialogue
package import Display
import SessionModel

/// The card of a grant in windows: whole, page by page, and its essentials above the PIN.
extension PinentryQuestion {
    /// Nobody reads more pages.
    private static let mostPages = 8

    /// The pages that show all of the card; another question follows them. Throws `SessionError` `tooLongForWindow` with this command if
    /// not everything can be shown.
    package static func pages(of act: Granting, orElse command: String) throws -> PinentryPages {
        PinentryPages(try whole(act.facts, "May this program have tokens?", orElse: command), onward: "Yes")
    }

    /// Asks for the PIN, after the card was shown. `when`: the person's choice of time.
    package static func pin(allowing act: Granting, when: Fact) -> PinentryQuestion {
        PinentryQuestion(
            act.words.headline, details: [when.line()] + essentials(of: act.facts),
            brief: (act.brief + [when]).map { $0.line(within: briefWidth) }, ok: act.words.ok)
    }

    /// Asks for the PIN where no page shows the card before, so each of its facts has a line here.
    package init(_ act: Granting, _ asker: DisplayText) {
        self.init(
            act.words.headline, details: act.facts.map { Self.oneLine(DisplayText(answered: $0.line)) } + [asker],
            ok: act.words.ok)
    }

    /// The question for the PIN of one use, and the pages before it; no pages if the PIN's window shows everything. Throws as
    /// `pages` does.
    package static func oneUse(
        of card: GrantCard, orElse command: String
    ) throws -> (pages: PinentryPages, pin: PinentryQuestion) {
        let headline: StaticString = "Give this program a token?"
        let pages = try whole(card.facts, headline, orElse: command)
        let brief = [card.program, card.session, card.aim].map { $0.line(within: briefWidth) }
        guard pages.count == 1, let only = pages.first else {
            return (
                PinentryPages(pages, onward: "To the PIN"),
                PinentryQuestion(headline, details: essentials(of: card.facts), brief: brief, ok: "Yes")
            )
        }
        return (PinentryPages([], onward: "Yes"), PinentryQuestion(headline, body: only.body, brief: brief, ok: "Yes"))
    }

    /// A line for each fact, so that none of them is cut; the services share one.
    private static func essentials(of facts: [Fact]) -> [DisplayText] {
        func isService(_ fact: Fact) -> Bool { fact.label?.description == "Service" }
        let services = facts.filter(isService).map(\.value.line).joined(separator: " ")
        return facts.filter { !isService($0) }.map { $0.line() }
            + (services.isEmpty ? [] : [short("Services", text(services))])
    }

    private static func whole(
        _ facts: [Fact], _ headline: StaticString, orElse command: String
    ) throws -> [PinentryQuestion] {
        let pages = pages(of: facts.map(\.line), below: headline, number(99, of: 99), abovePIN: true)
        guard pages.count <= mostPages else { throw SessionError.tooLongForWindow(command: command) }
        return pages.enumerated().map { index, page in
            PinentryQuestion(
                headline, details: pages.count == 1 ? [] : number(index + 1, of: pages.count), body: page)
        }
    }

    private static func number(_ page: Int, of count: Int) -> [DisplayText] {
        [DisplayText("Page \(page) of \(count)")]
    }
}
