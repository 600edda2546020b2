package import Dialogue
package import Display
import SessionModel

/// The card of a grant in windows: whole, page by page, and its essentials above the PIN.
extension PinentryQuestion {
    /// Nobody reads more pages.
    private static let mostPages = 8

    /// The pages that show all of the card; another question follows them. None if the window for the PIN shows everything. Throws
    /// `SessionError` `tooLongForWindow` with this command if not everything can be shown.
    static func pages(of act: Granting, orElse command: String) throws -> PinentryPages {
        guard case .use = act else {
            return PinentryPages(try whole(act.facts, "May this program have tokens?", orElse: command), onward: "Yes")
        }
        let pages = try whole(act.facts, act.words.headline, orElse: command)
        return PinentryPages(pages.count == 1 ? [] : pages, onward: "To the PIN")
    }

    /// Asks for the PIN, after `pages`. `when`: the person's choice of time.
    package static func pin(
        allowing act: Granting, when: Fact?, orElse command: String
    ) throws -> PinentryQuestion {
        let when = when.map { [$0] } ?? []
        let brief = (act.brief + when).map { $0.line(within: briefWidth) }
        if case .use = act, case let pages = try whole(act.facts, act.words.headline, orElse: command), pages.count == 1
        {
            return PinentryQuestion(act.words.headline, body: pages[0].body, brief: brief, ok: act.words.ok)
        }
        return PinentryQuestion(
            act.words.headline, details: when.map { $0.line() } + essentials(of: act.facts), brief: brief,
            ok: act.words.ok)
    }

    /// Asks for the PIN where no page shows the card before, so each of its facts has a line here.
    package init(_ act: Granting, _ asker: DisplayText) {
        self.init(
            act.words.headline, details: act.facts.map { Self.oneLine(DisplayText(answered: $0.line)) } + [asker],
            ok: act.words.ok)
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
