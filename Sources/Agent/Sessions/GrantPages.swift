import Basics
import Display
import Pinentry
import SCACrypto
import Sessions

/// The grant that a program is to get, as the agent's windows show it: whole, page by page, before the PIN is asked
/// for.
struct GrantPages {
    var program: Program
    var claim: ClaimedName?
    var isChangeable = false
    var session: SignIn
    var aim: TokenAim
    var kind: TokenKind
    var requester: Requester

    /// Nobody reads more pages.
    static let mostPages = 8

    private var scopes: Scopes { aim.scopes ?? session.granted }
    private var resources: [ResourceIndicator] { aim.resources.isEmpty ? session.resources : aim.resources }
    private var scopeWords: DisplayText { DisplayText(scopes.isEmpty ? "none in particular" : scopes.text) }
    private static let idWords = DisplayText("it proves to others who you are")

    /// All that is shown, a line each.
    private var whole: [DisplayText] {
        var lines = [PinentryQuestion.line("Program", DisplayText(program.text))]
        if let claim { lines.append(PinentryQuestion.line("It calls itself", claim.shown)) }
        lines.append(PinentryQuestion.line("Session", DisplayText(session.name.text)))
        if let identity = session.identity {
            lines.append(PinentryQuestion.line("Account", DisplayText(identity.account)))
        }
        lines.append(PinentryQuestion.line("Issuer", DisplayText(session.issuer.issuer.host)))
        switch kind {
        case .access:
            lines.append(PinentryQuestion.line("Scopes", scopeWords))
            lines += resources.map { PinentryQuestion.line("Service", DisplayText($0.text)) }
        case .id: lines.append(PinentryQuestion.line("ID token", Self.idWords))
        }
        lines.append(requester.words)
        if isChangeable { lines.append(DisplayText("Any of your programs could change this program's file.")) }
        return lines
    }

    private func program(within width: Int) -> DisplayText {
        PinentryQuestion.short("Program", DisplayText(program.text), within: width)
    }

    private func aim(within width: Int) -> DisplayText {
        kind == .access
            ? PinentryQuestion.short("Scopes", scopeWords, within: width)
            : PinentryQuestion.short("ID token", Self.idWords, within: width)
    }

    /// The essentials for one window, a line each, so that none of them is cut.
    private func essentials(within width: Int) -> [DisplayText] {
        [
            program(within: width),
            PinentryQuestion.short("Session", DisplayText(session.name.text), within: width), aim(within: width),
        ]
    }

    private var longEssentials: [DisplayText] {
        let width = PinentryQuestion.longestShort
        let services = kind == .access && !resources.isEmpty ? resources.map(\.text).joined(separator: " ") : nil
        return essentials(within: width)
            + (services.map { [PinentryQuestion.short("Services", DisplayText($0))] } ?? [])
            + (session.identity.map { [PinentryQuestion.short("Account", DisplayText($0.account))] } ?? [])
            + [PinentryQuestion.oneLine(requester.words)]
    }

    /// The pages that show everything; another question follows them. Throws `SessionError` `tooLongForWindow` with this command if
    /// not everything can be shown.
    func pages(_ headline: StaticString, ok: StaticString, orElse command: String) throws -> PinentryPages {
        PinentryPages(try questions(headline, orElse: command), onward: ok)
    }

    private func questions(_ headline: StaticString, orElse command: String) throws -> [PinentryQuestion] {
        let pages = PinentryQuestion.pages(
            of: whole.map(\.line), below: headline, Self.number(99, of: 99), abovePIN: true)
        guard pages.count <= Self.mostPages else { throw SessionError.tooLongForWindow(command: command) }
        return pages.enumerated().map { index, page in
            PinentryQuestion(
                headline, details: pages.count == 1 ? [] : Self.number(index + 1, of: pages.count), body: page)
        }
    }

    /// Asks for the PIN, after the pages showed the grant. `when`: the person's choice of time.
    func question(_ headline: StaticString, when: DisplayText, ok: StaticString) -> PinentryQuestion {
        let width = PinentryQuestion.briefWidth
        let when = PinentryQuestion.line("When", when)
        return PinentryQuestion(
            headline, details: [when] + longEssentials,
            brief: [program(within: width), aim(within: width), PinentryQuestion.oneLine(when, within: width)], ok: ok)
    }

    /// The question for the PIN of one use, and the pages before it; no pages if the PIN's window shows everything. Throws as
    /// `pages` does.
    func questionForOneUse(
        _ headline: StaticString, ok: StaticString, orElse command: String
    ) throws -> (pages: PinentryPages, pin: PinentryQuestion) {
        let pages = try questions(headline, orElse: command)
        let brief = essentials(within: PinentryQuestion.briefWidth)
        guard pages.count == 1, let only = pages.first else {
            let pages = PinentryPages(pages, onward: "To the PIN")
            return (pages, PinentryQuestion(headline, details: longEssentials, brief: brief, ok: ok))
        }
        return (PinentryPages([], onward: ok), PinentryQuestion(headline, body: only.body, brief: brief, ok: ok))
    }

    // MARK: Pages

    private static func number(_ page: Int, of count: Int) -> [DisplayText] {
        [DisplayText("Page \(page) of \(count)")]
    }
}
