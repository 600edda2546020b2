/// Recognises style sheets that a card may leave out without a mark: those in which every word is a known word of CSS
/// (CSS 2.2 and its usual modules). With one unknown word, a string that is not the name of a font, a comment, an
/// address or a long number, the whole sheet is shown as hidden, like other markup.
///
/// The parts of a rule have white space between them, as the words of a sentence do. A word of a bank's text still
/// cannot pass for a part of a rule unless it is a keyword of CSS: no white space is accepted before `;` or `}` in a
/// value, and a number must stand alone or among numbers with units.
///
/// Written here because parsers of CSS skip unknown text, as CSS demands, and exactly that text must be shown.
struct HarmlessCSS {
    /// Whether a whole `<style>` is harmless.
    static func isSheet(_ source: some StringProtocol) -> Bool {
        var css = HarmlessCSS(source)
        return css.count <= 16_384 && css.rules(in: nil) && css.isAtEnd
    }

    /// Whether the value of a `style` attribute is harmless.
    static func isDeclarations(_ source: String) -> Bool {
        var css = HarmlessCSS(source)
        return css.declarations() && css.isAtEnd && source.utf8.last != UInt8(ascii: " ")
    }

    /// `#rgb`, or the name of a common colour.
    static func isColor(_ source: String) -> Bool {
        var css = HarmlessCSS(source)
        if css.peek == UInt8(ascii: "#") { return css.hashColor() && css.isAtEnd }
        return colors.contains(source.lowercased())
    }

    private let bytes: [UInt8]
    private var index = 0

    private init(_ source: some StringProtocol) { bytes = Array(source.utf8) }

    private var count: Int { bytes.count }
    private var isAtEnd: Bool { index == bytes.count }
    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Skips white space between rules and declarations.
    private mutating func space() {
        while let byte = peek, HTMLScanner.isSpace(byte) { index += 1 }
    }

    /// Reads letters, digits and hyphens, in lower case; empty when there are none.
    private mutating func word() -> String {
        let start = index
        while let byte = peek, Self.isWordByte(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Rules

    /// Rules up to the end, or up to the `}` that ends a block.
    private mutating func rules(in block: Bool?) -> Bool {
        while true {
            space()
            guard let next = peek else { return block == nil }
            if next == UInt8(ascii: "}"), block != nil { return true }
            guard next == UInt8(ascii: "@") ? media() : rule() else { return false }
        }
    }

    private mutating func rule() -> Bool {
        guard selectors(), take("{"), declarations(), take("}") else { return false }
        return true
    }

    /// `@media (prefers-color-scheme: dark) { … }`
    private mutating func media() -> Bool {
        guard take("@"), word() == "media", take(" ") else { return false }
        repeat {
            if take("(") {
                guard ["prefers-color-scheme", "max-width", "min-width"].contains(word()), take(":") else {
                    return false
                }
                _ = take(" ")
                guard term() != nil, take(")") else { return false }
            } else {
                guard ["and", "screen", "print", "all", "only"].contains(word()) else { return false }
            }
        } while take(" ") && peek != UInt8(ascii: "{")
        guard take("{"), rules(in: true), take("}") else { return false }
        return true
    }

    private mutating func selectors() -> Bool {
        repeat {
            space()
            guard selector() else { return false }
        } while take(",")
        return true
    }

    private mutating func selector() -> Bool {
        guard compound() else { return false }
        while take(" ") || peek == UInt8(ascii: ">") {
            if peek == UInt8(ascii: "{") { return true }
            if take(">") { _ = take(" ") }
            guard compound() else { return false }
        }
        return true
    }

    private mutating func compound() -> Bool {
        let start = index
        if !take("*") {
            let element = word()
            guard element.isEmpty || Self.elements.contains(element) else { return false }
        }
        while let next = peek {
            if next == UInt8(ascii: ".") || next == UInt8(ascii: "#") {
                index += 1
                guard HTMLHarmlessMarkup.isName(word()) else { return false }
            } else if take(":") {
                _ = take(":")
                guard Self.pseudo.contains(word()) else { return false }
            } else {
                break
            }
        }
        return index > start
    }

    // MARK: Declarations

    /// `name: value; name: value` with or without a last `;`, up to `}` or the end.
    private mutating func declarations() -> Bool {
        while true {
            space()
            guard let next = peek, next != UInt8(ascii: "}") else { return true }
            guard declaration() else { return false }
            if !take(";") { return peek == nil || peek == UInt8(ascii: "}") }
        }
    }

    private mutating func declaration() -> Bool {
        let name = word()
        guard Self.properties.contains(name), take(":") else { return false }
        _ = take(" ")
        if name == "font-family" { return fonts() }
        return value()
    }

    private enum Term { case keyword, bare, measure, color }

    private mutating func value() -> Bool {
        var terms: [Term] = []
        repeat {
            if take("!") {
                guard word() == "important" else { return false }
                break
            }
            guard let term = term() else { return false }
            terms.append(term)
        } while take(" ")
        return !terms.isEmpty && terms.count <= 6 && (terms.count == 1 || !terms.contains(.bare))
    }

    private mutating func fonts() -> Bool {
        repeat {
            _ = take(" ")
            let name: String
            if let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                guard let end = bytes[(index + 1)...].firstIndex(of: quote) else { return false }
                name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self).lowercased()
                index = end + 1
            } else {
                var words = [word()]
                while peek == UInt8(ascii: " ") {
                    index += 1
                    words.append(word())
                }
                name = words.joined(separator: " ")
            }
            guard Self.fontNames.contains(name) else { return false }
        } while take(",")
        return true
    }

    private mutating func term() -> Term? {
        guard let next = peek else { return nil }
        if next == UInt8(ascii: "#") { return hashColor() ? .color : nil }
        if next == UInt8(ascii: "-") || next == UInt8(ascii: ".")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
        {
            return number()
        }
        let word = word()
        if take("(") { return Self.functions.contains(word) && arguments() ? .color : nil }
        if Self.colors.contains(word) { return .color }
        return Self.keywords.contains(word) ? .keyword : nil
    }

    private mutating func hashColor() -> Bool {
        guard take("#") else { return false }
        let digits = word()
        return [3, 4, 6, 8].contains(digits.utf8.count)
            && digits.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// Reads a number: at most four digits, a fraction of at most three, perhaps a unit. A number with a unit (or `0`)
    /// and one without are different kinds.
    private mutating func number() -> Term? {
        _ = take("-")
        let whole = digits()
        var fraction = 0
        if take(".") {
            fraction = digits()
            guard fraction > 0 else { return nil }
        }
        guard whole <= 4, fraction <= 3, whole + fraction > 0 else { return nil }
        let isZero = fraction == 0 && whole == 1 && bytes[index - 1] == UInt8(ascii: "0")
        if take("%") { return .measure }
        let unit = word()
        if unit.isEmpty { return isZero ? .measure : whole <= 3 ? .bare : nil }
        return Self.units.contains(unit) ? .measure : nil
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    /// Numbers between commas and spaces, up to the `)`.
    private mutating func arguments() -> Bool {
        var count = 0
        repeat {
            _ = take(" ")
            guard number() != nil else { return false }
            count += 1
        } while (take(",") || peek == UInt8(ascii: " ")) && count < 4
        return take(")")
    }

    // MARK: Known words

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    /// Elements that style sheets name, without those that are also words of a sentence.
    private static let elements = set(
        "a b body div dl dd dt em h1 h2 h3 h4 h5 h6 hr html img li ol p pre span strong table tbody td tfoot th thead tr ul"
    )
    private static let pseudo = set("root hover focus active visited first-child last-child first-of-type last-of-type")
    private static let functions = set("rgb rgba hsl hsla")
    private static let units = set("px em rem pt vh vw s ms deg fr ch")
    private static let fontNames: Set<String> = [
        "arial", "helvetica", "helvetica neue", "verdana", "tahoma", "georgia", "times", "times new roman", "courier",
        "courier new", "roboto", "open sans", "segoe ui", "inter", "lato", "system-ui", "-apple-system",
        "blinkmacsystemfont", "sans-serif", "serif", "monospace", "inherit",
    ]
    private static let colors = set("black white red green blue gray grey silver navy yellow orange transparent")
    private static let properties = set(
        """
        color background background-color border border-top border-bottom border-left border-right border-color \
        border-style border-width border-radius border-collapse border-spacing margin margin-top margin-bottom margin-left \
        margin-right padding padding-top padding-bottom padding-left padding-right width height max-width max-height \
        min-width min-height font-size font-weight font-style font-family line-height letter-spacing text-align \
        text-decoration text-transform vertical-align white-space word-break word-wrap overflow overflow-x overflow-y \
        display visibility float clear position top bottom left right z-index opacity box-sizing box-shadow list-style \
        list-style-type flex flex-direction flex-wrap align-items justify-content gap color-scheme table-layout \
        outline cursor
        """)
    private static let keywords = set(
        """
        none auto inherit initial unset normal bold bolder lighter italic solid dashed dotted collapse separate left right \
        center justify top middle bottom baseline block inline inline-block flex inline-flex grid table table-cell \
        table-row nowrap pre pre-wrap pre-line break-word break-all wrap row column uppercase lowercase capitalize \
        underline hidden visible scroll relative absolute fixed static border-box content-box disc circle square decimal \
        space-between space-around flex-start flex-end stretch dark light pointer small medium large x-large
        """)
}
