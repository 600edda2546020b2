import Basics
import Display
import Sessions

extension RequestPayload {
    /// All that a person decides by, line by line.
    func card(of choice: Choice) -> [String] {
        var lines = GrantCard.lines(program.text, choice.session, choice.scopes, choice.resources, kinds)
        lines.insert(contentsOf: GrantCard.owner(account: choice.account, host: choice.host), at: 2)
        if let claims { lines.insert("It calls itself: \(claims.name)", at: 1) }
        lines.append("Asked by: " + requester.prefix(2).joined(separator: ", started by: "))
        if changeable { lines.append(GrantCard.changeable) }
        return lines
    }
}

/// The text that a person reads before the PIN lets a program have tokens.
enum GrantCard {
    static func lines(
        _ program: String, _ session: String, _ scopes: [String], _ resources: [String], _ kinds: [String]
    ) -> [String] {
        var lines = ["Program: \(program)", "Session: \(session)"]
        if kinds.contains("access") {
            lines.append("Scopes: \(scopes.isEmpty ? "nothing in particular" : scopes.joined(separator: " "))")
            lines += resources.map { "Service: \($0)" }
        }
        if kinds.contains("id") { lines.append("ID token: it proves to others who you are") }
        return lines
    }

    static let changeable = "Any of your programs could change this program's file."

    /// Whose session it is.
    static func owner(account: String?, host: String) -> [String] {
        (account.map { ["Account: \($0)"] } ?? []) + ["Issuer: \(host)"]
    }

    /// Writes the card to the terminal; if a question follows there, page by page where the screen is too small for both. Returns the
    /// lines to repeat beside that question; none while the whole card is in sight.
    static func show(_ lines: [String], on terminal: Terminal, asks: Bool) throws -> [String] {
        // No value can begin a line of its own.
        func wrapped() -> [[String]] {
            lines.map { TextLines.of(DisplayText(answered: $0).line, width: Terminal.columns) }
        }
        guard asks else {
            for line in wrapped().joined() { Terminal.say(line) }
            return []
        }
        return try terminal.show { wrapped().flatMap { $0 } } ? [] : wrapped().prefix(2).compactMap(\.first)
    }
}

extension RequestsPayload: Payload {
    var ids: [String] { requests.map(\.id) }

    func text(_ style: Style) -> String {
        guard !requests.isEmpty else { return "No program asks for a token." }
        let rows = requests.map { request in
            [
                request.id, request.programWords, request.choices.map(\.session).joined(separator: " or "),
                Self.wanted(request.scopes, request.kinds), LocalTime.full(request.expiresAt.date),
            ].map { DisplayText(answered: $0) }
        }
        let hint = "\nallow or refuse one with: countersign allow ID, countersign refuse ID"
        let choosing = "\nwhere several sessions are named: countersign allow ID --session NAME"
        return TextTable(header: ["ID", "PROGRAM", "SESSION", "SCOPES", "UNTIL"]).text(rows, style) + hint
            + (requests.contains { $0.choices.count > 1 } ? choosing : "")
    }

    /// The scopes of access tokens, and whether there is an ID token.
    fileprivate static func wanted(_ scopes: [String], _ kinds: [String]) -> String {
        let parts = [
            kinds.contains("access") ? scopes.joined(separator: " ") : "", kinds.contains("id") ? "ID token" : "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " + ")
    }
}

extension RequestPayload {
    /// The program, and the name that it gives itself.
    fileprivate var programWords: String { program.text + (claims.map { " (calls itself: \($0.name))" } ?? "") }
}

extension AnsweredRequestPayload: Payload {
    var ids: [String] { [request.id] }

    func text(_ style: Style) -> String {
        guard let grant else { return "Refused." }
        return "Allowed: \(DisplayText(answered: grant.words).line)"
    }
}

extension GrantPayload {
    /// The status in words.
    var state: String {
        switch status {
        case "gone": "its file is gone"
        case "unusable": "not usable any more"
        default: status
        }
    }

    /// The grant in one line.
    fileprivate var words: String {
        let end = expiresAt.map { ", until \(LocalTime.full($0.date))" } ?? ""
        return "\(program.text) may have tokens of \(source)\(end) (grant \(id))"
    }

    fileprivate var source: String { session ?? "a session that is gone" }
}

extension GrantsPayload: Payload {
    var ids: [String] { grants.map(\.id) }

    func text(_ style: Style) -> String {
        guard !grants.isEmpty else { return "No program was allowed anything." }
        let rows = grants.map { grant in
            [
                grant.id, grant.program.text, grant.session ?? "gone",
                RequestsPayload.wanted(grant.scopes, grant.kinds),
                grant.when, grant.state, String(grant.uses),
            ].map { DisplayText(answered: $0) }
        }
        let table = TextTable(header: ["ID", "PROGRAM", "SESSION", "SCOPES", "WHEN", "STATUS", "TOKENS"]).text(
            rows, style)
        guard let unusable = grants.first(where: { $0.status == "unusable" }) else { return table }
        return """
            \(table)

            A grant for a Flatpak id gives nothing any more: any program of yours can make a sandbox with any id.
            End it: countersign grants revoke \(unusable.id)
            """
    }
}

extension OneGrantPayload: Payload {
    var ids: [String] { [grant.id] }

    func text(_ style: Style) -> String {
        DisplayText(answered: "Allowed: " + grant.words).line
    }
}

extension RevokedGrantPayload: Payload {
    var ids: [String] { [revoked.id] }

    func text(_ style: Style) -> String {
        let rest =
            switch cut {
            case true?: "those that it had are ended, also where other programs had the same"
            case false?: "not all that it had could be ended; \(LocalTime.left(tokensUntil))"
            case nil: LocalTime.left(tokensUntil)
            }
        return DisplayText(answered: "Revoked: \(revoked.program.text) gets no more tokens; \(rest)").line
    }
}

extension LocalTime {
    /// Until when a program can use the tokens that it has.
    fileprivate static func left(_ end: Timestamp?) -> String {
        end.map { "what it has is good until \(full($0.date))" } ?? "what it has is good until it runs out"
    }
}
