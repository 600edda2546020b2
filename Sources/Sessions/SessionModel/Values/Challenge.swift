package import Basics

/// One challenge of a service (RFC 9110 section 11.6.1), as it came: every text is the service's, and untrusted.
package struct Challenge: Sendable, Equatable {
    /// In lower case; nil where the service left it out, as some do.
    package var scheme: String?
    /// By name in lower case. A parameter that occurs twice counts as missing: readers disagree on which one counts.
    private var parameters: [String: String?] = [:]

    /// Whether a bearer token answers it. A challenge without a scheme counts if it has `error`, as only bearer challenges do.
    package var isBearer: Bool { scheme.map { $0 == "bearer" } ?? (parameters["error"] != nil) }

    package var realm: BankText? { parameter("realm").map { BankText($0) } }

    /// The scopes that the challenge demands of a token (RFC 6750 section 3).
    package var scopes: Scopes? { parameter("scope").flatMap { Scopes($0) }.flatMap { $0.isEmpty ? nil : $0 } }

    /// The complaint about the token that was sent; nil if none was sent, and for words without a meaning to us.
    package var complaint: Complaint? { parameter("error").flatMap { Complaint(rawValue: $0) } }

    /// Where the service describes itself (RFC 9728 section 5.1); nil for an address that is not called.
    package var metadata: WebAddress? { parameter("resource_metadata").flatMap { try? WebAddress($0) } }

    /// The page to sign in at, where a service names one outside of any standard. It is only shown.
    package var page: PageAddress? {
        ["authorization_uri", "authorization_url", "authorization_endpoint"].compactMap(parameter).first
            .flatMap { try? PageAddress($0) }
    }

    /// How strongly the person must have signed in (RFC 9470 section 3): the words of `acr_values`.
    package var acrValues: [String] { parameter("acr_values")?.split(separator: " ").map(String.init) ?? [] }

    /// How many seconds ago at most the person must have signed in; nil if the challenge does not say.
    package var maxAge: Int? { parameter("max_age").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }

    package enum Complaint: String, Sendable {
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"
        case insufficientUserAuthentication = "insufficient_user_authentication"
    }

    private func parameter(_ name: String) -> String? { parameters[name] ?? nil }

    fileprivate init(scheme: String?) { self.scheme = scheme }

    fileprivate mutating func set(_ name: String, _ value: String?) {
        parameters[name] = .some(parameters[name] == nil ? value : nil)
    }
}

/// All challenges of one answer.
package struct Challenges: Sendable, Equatable {
    package private(set) var all: [Challenge] = []

    /// The most bytes that are read, and the most challenges.
    private static let (mostBytes, most) = (16384, 32)

    /// Reads the values of `WWW-Authenticate`, or whole header lines, as leniently as possible without guessing: skips
    /// text without the form of a challenge.
    package init(_ fields: [String]) {
        for field in fields {
            var text = field.drop(while: \.isWhitespace)
            let name = "www-authenticate:"
            if text.prefix(name.count).lowercased() == name { text = text.dropFirst(name.count) }
            var reader = Reader(Array(text.utf8.prefix(Self.mostBytes)))
            all += reader.challenges().prefix(Self.most - all.count)
        }
    }

    /// The first that a bearer token answers.
    package var bearer: Challenge? { all.first(where: \.isBearer) }

    /// Whether a password (RFC 7617) answers one of them.
    package var takesPasswords: Bool { all.contains { $0.scheme == "basic" } }

    /// The challenges that a bearer token answers; with `byPassword` also those for Basic.
    package func answered(byPassword: Bool) -> [Challenge] {
        all.filter { $0.isBearer || (byPassword && $0.scheme == "basic") }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func challenges() -> [Challenge] {
            var found: [Challenge] = []
            // A challenge begins at a comma only. Some services write a value of several words without quotes.
            var isBeginning = true
            while let byte = peek {
                if Self.isSpace(byte) || byte == UInt8(ascii: ",") {
                    isBeginning = isBeginning || byte == UInt8(ascii: ",")
                    index += 1
                    continue
                }
                let word = take(while: Self.isTokenByte)
                guard !word.isEmpty else {
                    skipElement()
                    continue
                }
                let start = index
                skipSpaces()
                if peek == UInt8(ascii: "=") {
                    index += 1
                    if found.isEmpty { found.append(Challenge(scheme: nil)) }
                    found[found.count - 1].set(word.lowercased(), value())
                } else if isBeginning {
                    found.append(Challenge(scheme: word.lowercased()))
                    if index > start { skipCredentials() }
                }
                isBeginning = false
            }
            return found
        }

        private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func take(while belongs: (UInt8) -> Bool) -> String {
            let start = index
            while let byte = peek, belongs(byte) { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        private mutating func skipSpaces() { while let byte = peek, Self.isSpace(byte) { index += 1 } }

        /// A token, or a text in quotes; nil if the quotes are not closed or the text is not UTF-8.
        private mutating func value() -> String? {
            skipSpaces()
            guard peek == UInt8(ascii: "\"") else {
                // Addresses stand here without quotes, too.
                return take { !Self.isSpace($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            }
            index += 1
            var text: [UInt8] = []
            while let byte = peek {
                index += 1
                if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
                if byte == UInt8(ascii: "\\"), let escaped = peek {
                    text.append(escaped)
                    index += 1
                } else {
                    text.append(byte)
                }
            }
            return nil
        }

        /// Skips the text that a scheme such as Negotiate has in place of parameters (`token68`), if it reaches to the
        /// next comma or the end.
        private mutating func skipCredentials() {
            let start = index
            _ = take { Self.isTokenByte($0) || $0 == UInt8(ascii: "/") }
            _ = take { $0 == UInt8(ascii: "=") }
            skipSpaces()
            if let byte = peek, byte != UInt8(ascii: ",") { index = start }
        }

        private mutating func skipElement() {
            var isQuoted = false
            while let byte = peek, isQuoted || byte != UInt8(ascii: ",") {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if isQuoted, byte == UInt8(ascii: "\\") { index += 1 }
                index += 1
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}
