/// Languages that a person reads, best first, as tags of RFC 5646: the issuer's page is asked for in one of them.
package struct LanguageTags: Sendable, Equatable {
    package let all: [String]

    package static let none = LanguageTags(checked: [])

    private static let most = 8

    private init(checked: [String]) { all = checked }

    /// Nil where one is no tag, or where there are too many.
    package init?(_ tags: [String]) {
        guard tags.count <= Self.most, tags.allSatisfy(Self.isTag) else { return nil }
        all = tags
    }

    /// The languages of a POSIX locale: `de_AT.UTF-8` gives `de-AT` and `de`. None for `C`, `POSIX`, and any text that
    /// is no locale.
    package init(locale: String) {
        let parts = locale.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let names = (parts.first ?? "").prefix { $0 != "." }.split(separator: "_", omittingEmptySubsequences: false)
        guard let language = names.first?.lowercased(), (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy(Self.isLetter), names.count <= 2
        else {
            self = .none
            return
        }
        let script: String? =
            switch parts.dropFirst().first?.lowercased() {
            case "latin": "Latn"
            case "cyrillic": "Cyrl"
            default: nil
            }
        let region = names.dropFirst().first?.uppercased()
        let whole = [language, script, region].compactMap(\.self).joined(separator: "-")
        guard Self.isTag(whole) else {
            self = .none
            return
        }
        all = whole == language ? [language] : [whole, language]
    }

    private static func isTag(_ text: String) -> Bool {
        text.utf8.count <= 35 && text.utf8.first.map(isLetter) == true
            && text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
                (1...8).contains(part.utf8.count)
                    && part.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}
