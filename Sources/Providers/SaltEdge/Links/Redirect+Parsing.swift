import Basics
import FoundationEssentials
import ApprovalModel

extension Redirect {
    /// Reads a redirected address (saltedge-v1 section 5). Nil when it is not a redirect for us: it does not begin with
    /// `returnURL` (or `alsoDefault`, which some banks always use) followed by `?`, `/` or the end; or it says neither
    /// success nor failure in a readable form.
    ///
    /// Values are decoded once. A `+` stays, except in `error_message`, where it means a space. Without a query, a JSON
    /// object in the path is read instead.
    static func parse(
        _ address: String, returnURL: String, alsoDefault: String = "authenticator://oauth/redirect"
    ) -> Redirect? {
        guard address.utf8.count <= 65536 else { return nil }
        let address = Substring(address).trimmingWhitespace()
        for prefix in [returnURL, alsoDefault] where !prefix.isEmpty {
            if let rest = address.dropping(prefix: prefix) { return parse(rest) }
        }
        return nil
    }

    /// `rest` is the part behind the return URL.
    private static func parse(_ rest: Substring) -> Redirect? {
        guard [nil, "?", "/", "#"].contains(rest.unicodeScalars.first) else { return nil }
        let rest = rest.before("#")
        guard let query = rest.behind("?") else {
            guard let json = Percent.decode(rest.dropFirst()), json.hasPrefix("{"),
                let fields = try? JSONDecoder().decode(Fields.self, from: Data(json.utf8))
            else { return nil }
            return fields.redirect
        }
        let parameters = QueryParameters(query)
        var fields = Fields()
        if let token = parameters["access_token"] {
            guard let decoded = Percent.decode(token) else { return nil }
            fields.accessToken = decoded
        }
        if let raw = parameters["id"] {
            guard let id = Percent.decode(raw).flatMap(BankID.init) else { return nil }
            fields.id = id
        }
        fields.errorClass = parameters["error_class"].flatMap { Percent.decode($0) }
        fields.errorMessage = parameters["error_message"].flatMap { Percent.decode($0, plusIsSpace: true) }
        return fields.redirect
    }

    private struct Fields: Decodable {
        var accessToken: String?
        var id: BankID?
        var errorClass: String?
        var errorMessage: String?

        enum CodingKeys: String, CodingKey {
            case id
            case accessToken = "access_token"
            case errorClass = "error_class"
            case errorMessage = "error_message"
        }

        var redirect: Redirect? {
            if let accessToken, !accessToken.isEmpty {
                return .grant(Grant(accessToken: BankText(accessToken), id: id))
            }
            let failure = Refusal(
                errorClass: errorClass.flatMap { $0.isEmpty ? nil : BankText($0) },
                message: errorMessage.flatMap { $0.isEmpty ? nil : BankText($0) })
            return failure.errorClass == nil && failure.message == nil ? nil : .refusal(failure)
        }
    }
}
