/// A piece of HTML. Interpolated text is escaped, and only another `HTML` is inserted unchanged, so no page can forget
/// to escape.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    let source: String

    init(source: String) { self.source = source }
    init(stringLiteral value: String) { source = value }
    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }
        mutating func appendLiteral(_ literal: String) { source += literal }
        mutating func appendInterpolation(_ text: String) { source += HTML.escaped(text) }
        mutating func appendInterpolation(_ number: some BinaryInteger) { source += String(number) }
        mutating func appendInterpolation(_ html: HTML) { source += html.source }
        mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { source += piece.source } }
    }

    /// Escapes the five characters that have a meaning in text or in a quoted attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
