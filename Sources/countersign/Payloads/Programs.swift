import Basics
import Display
import Sessions

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
        case .gone: "its file is gone"
        case .unusable: "not usable any more"
        case .active, .over: status.rawValue
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
        guard let unusable = grants.first(where: { $0.status == .unusable }) else { return table }
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
