public import Basics
public import FoundationEssentials

/// What git asks of a credential helper (gitcredentials(7), git-credential(1)), and how it is answered.
public struct GitCredential: Sendable {
    /// Where the credential is for; nil for what no token is ever sent to.
    public let address: WebAddress?
    private let userName: String?
    /// The password, or the credential with its type, that git has: where it was rejected, or is to be stored.
    public let secret: String?
    private let lines: [String]
    private let challenges: Challenges
    /// Whether this git sends more than passwords (`authtype`, from 2.46 on).
    private let takesTypes: Bool

    /// The lines of standard input, to the first empty one. Unknown attributes are passed over.
    public init(_ lines: [String]) {
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
                // git says each once: whoever says it twice wants another place to be read than the one that is meant.
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

    /// git decodes the path, so what means something in an address is escaped again. Nil where host or path may be something else than
    /// what git will ask for: it decoded dots and slashes, too.
    private static func address(_ attributes: [Substring: Substring]) -> WebAddress? {
        guard let scheme = attributes["protocol"], let host = attributes["host"],
            !host.contains(where: { "/?#\\@%".contains($0) }),
            !(attributes["path"] ?? "").split(separator: "/").contains(where: { [".", ".."].contains($0) })
        else { return nil }
        let path = (attributes["path"] ?? "").replacing("%", with: "%25").replacing("?", with: "%3F")
            .replacing("#", with: "%23")
        return try? WebAddress("\(scheme)://\(host)" + (path.isEmpty ? "" : "/" + path))
    }

    /// The request that git is about to make; nil where it gets no token. A git that hands on no challenges asks only where there was
    /// one.
    public var request: HeadersRequest? {
        guard let address, let terms = try? TokenTerms() else { return nil }
        let given = challenges.all.isEmpty ? (takesTypes ? nil : []) : lines
        return HeadersRequest(url: address, challenge: given, password: true, terms)
    }

    /// The answer to `get`. As a bearer token where git can send one and the server does not ask for Basic alone, since some take the
    /// token only as a password. `expiry`: when it runs out.
    public func answer(_ token: String, userName own: String?, expiry: Date?) -> String {
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
    public static let capabilities = "version 0\ncapability authtype\n"
}
