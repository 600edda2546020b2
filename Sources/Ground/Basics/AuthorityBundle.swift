/// Certificate authorities in PEM form, few enough to be stored with a session.
package struct AuthorityBundle: Sendable, Hashable, Codable {
    /// The most bytes that are kept.
    package static let longest = 256 << 10

    package let pem: String

    /// Nil for a longer text.
    package init?(pem: String) {
        guard pem.utf8.count <= Self.longest else { return nil }
        self.pem = pem
    }

    /// Each certificate by itself, without the text around it.
    package var certificates: [String] {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        var certificates: [String] = []
        var lines: [Substring]?
        for line in pem.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(begin) { lines = [] }
            lines?.append(line)
            if line.hasPrefix(end), let whole = lines {
                certificates.append(whole.joined(separator: "\n") + "\n")
                lines = nil
            }
        }
        return certificates
    }

    /// Both, each once. This one alone if they are too many.
    package func with(_ other: AuthorityBundle?) -> AuthorityBundle {
        guard let other, !pem.contains(other.pem) else { return self }
        return AuthorityBundle(pem: pem + "\n" + other.pem) ?? self
    }
}
