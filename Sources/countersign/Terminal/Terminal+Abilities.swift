import Glibc

extension Terminal {
    /// Whether the terminal obeys no control sequences: TERM is `dumb`, or not set.
    static let isDumb = ["dumb", nil].contains(Environment.value("TERM"))

    /// Whether the locale has no line-drawing characters: it is `C`, or of another encoding than UTF-8. No locale at all tells nothing.
    static let isASCII: Bool = {
        guard let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE") ?? Environment.value("LANG")
        else { return false }
        let parts = locale.lowercased().split(separator: "@")[0].split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return ["c", "posix"].contains(parts[0]) }
        return parts[1].filter { $0 != "-" } != "utf8"
    }()

    /// The text with our frames in ASCII, each in one column, if the locale has no others. The mark of a broken line stays, since
    /// foreign text could make any in its place.
    static func drawable(_ text: String) -> String {
        guard isASCII else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { ascii[$0] ?? $0 }))
    }

    private static let ascii: [Unicode.Scalar: Unicode.Scalar] = [
        "┌": "+", "├": "+", "└": "+", "─": "-", "│": "|", "·": "-", "…": "~",
    ]
}
