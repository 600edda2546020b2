package import Basics
package import FoundationEssentials
import SessionModel

/// Requests of git to a credential helper (gitcredentials(7), git-credential(1)), and their answers.
package struct GitCredential: Sendable {
    /// The address that the credential is for; nil if no token may be sent there.
    package let address: WebAddress?
    private let userName: String?
    /// The password or typed credential that git has, if it was rejected or is to be stored.
    package let secret: String?
    private let lines: [String]
    private let challenges: Challenges
    /// Whether this git sends more than passwords (`authtype`, from 2.46 on).
    private let takesTypes: Bool

    /// The lines of standard input, to the first empty one. Unknown attributes are passed over.
    package init(_ lines: [String]) {
        var single: [Substring: Substring] = [:]
        var lists: [Substring: [String]] = [:]
        var isClear = true
        for line in lines.prefix(while: { !$0.isEmpty }) {
            guard let value = line[...].behind("=") else { continue }
            let name = line[...].before("=")
            if name.hasSuffix("[]") {
                // An empty value begins the list anew.
                lists[name] = value.isEmpty ? [] : (lists[name] ?? []) + [String(value)]
            } else if single.updateValue(value, forKey: name) != nil {
                // git writes each attribute once. A second one may be an attempt to send the token elsewhere.
                isClear = false
            }
        }
        address = isClear ? Self.address(single) : nil
        userName = single["username"].map(String.init)
        secret = (single["password"] ?? single["credential"]).map(String.init)
        self.lines = lists["wwwauth[]"] ?? []
        challenges = Challenges(self.lines)
        takesTypes = lists["capability[]"]?.contains("authtype") ?? false
    }

    /// git decodes the path, so characters with a meaning in an address are escaped again. Nil if the host or path may
    /// differ from the address that git will ask for, since git decodes dots and slashes too.
    private static func address(_ attributes: [Substring: Substring]) -> WebAddress? {
        guard let scheme = attributes["protocol"], let host = attributes["host"],
            !host.contains(where: { "/?#\\@%".contains($0) }),
            !(attributes["path"] ?? "").split(separator: "/").contains(where: { [".", ".."].contains($0) })
        else { return nil }
        let path = (attributes["path"] ?? "").replacing("%", with: "%25").replacing("?", with: "%3F")
            .replacing("#", with: "%23")
        return try? WebAddress("\(scheme)://\(host)" + (path.isEmpty ? "" : "/" + path))
    }

    /// The request that git is about to make; nil if it gets no token. A git that passes on no challenges asks only after a
    /// challenge.
    package var request: HeadersRequest? {
        guard let address, let terms = try? TokenTerms() else { return nil }
        let given = challenges.all.isEmpty ? (takesTypes ? nil : []) : lines
        return HeadersRequest(url: address, challenge: given, password: true, terms)
    }

    /// Whether git sent the credential that it erases. Before version 2.46 git sends passwords alone, and erases one
    /// that it could not send as well. Nil if this git does not pass on the server's challenges.
    package var wasSent: Bool? {
        if takesTypes { return true }
        return challenges.all.isEmpty ? nil : challenges.takesPasswords
    }

    /// The answer to `get`: a bearer token if git can send one and the server's challenges, if any, allow it. Otherwise a password,
    /// since some servers take the token only as a password. `expiry`: when the token runs out.
    package func answer(_ token: String, userName own: String?, expiry: Date?) -> String {
        var lines: [String]
        if takesTypes, challenges.all.isEmpty || challenges.bearer != nil {
            lines = ["capability[]=authtype", "authtype=Bearer", "credential=\(token)", "ephemeral=1"]
        } else {
            lines = ["username=\(own ?? userName ?? "oauth2")", "password=\(token)"]
        }
        if let expiry { lines.append("password_expiry_utc=\(Int64(expiry.timeIntervalSince1970))") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The answer to `capability`.
    package static let capabilities = "version 0\ncapability authtype\n"
}
