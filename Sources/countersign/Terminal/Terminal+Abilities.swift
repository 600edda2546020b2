import Client
import Display
import Glibc

extension Terminal {
    /// Whether the terminal obeys no control sequences: TERM is `dumb`, or not set.
    static let isDumb = ["dumb", nil].contains(Environment.value("TERM"))

    /// Whether the locale has no line-drawing characters: it is `C`, or of another encoding than UTF-8. Without any
    /// locale the answer is no.
    static let isASCII: Bool = {
        guard let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE") ?? Environment.value("LANG")
        else { return false }
        let parts = (locale.lowercased().split(separator: "@").first ?? "").split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return parts.first.map { ["c", "posix"].contains($0) } ?? false }
        return parts[1].filter { $0 != "-" } != "utf8"
    }()

    /// The text with our frames and marks in ASCII, each in one column, if the locale has no others.
    ///
    /// Foreign text can make any ASCII sign, but not in every place. Within a frame it stands behind the frame and a blank, so a line that
    /// was broken begins with `|>>` there. Elsewhere it begins no line, so that a broken line begins with `> `.
    static func drawable(_ text: String) -> String {
        guard isASCII else { return text }
        var text = text
        for dress in [Style.plain.bold, Style.ansi.bold, Style.ansi.dim] {
            let attribute = dress("x").prefix { $0 != "x" }
            // Up to the mark's blank, which the next sign may join to one character.
            let mark = TextLines.mark.dropLast()
            text = text.replacing("│ \(attribute)\(mark)", with: "│>\(attribute)>")
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { ascii[$0] ?? $0 }))
    }

    private static let ascii: [Unicode.Scalar: Unicode.Scalar] = [
        "┌": "+", "├": "+", "└": "+", "─": "-", "│": "|", "·": "-", "…": "~", "↳": ">",
    ]
}
