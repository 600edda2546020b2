/// How the width of text is counted: on a terminal, or in a window with a proportional font.
package enum TextMeasure: Sendable {
    /// In columns.
    case terminal
    /// In ems, the height of the font: for each character the widest glyph that common fonts have for it. So a window
    /// with room for this many ems does not break the line again, for any letters.
    case proportional

    /// The number of parts that a column or an em is counted in.
    static let unit = 100

    /// The width of one character in hundredths of a column or an em.
    package func width(_ scalar: Unicode.Scalar) -> Int {
        switch self {
        case .terminal: return TextWidth.columns(scalar) * Self.unit
        case .proportional:
            if scalar.isASCII { return Self.ascii(scalar) }
            if TextWidth.isIsolate(scalar) { return Self.letter }
            if TextWidth.isMark(scalar) { return Self.mark(scalar.value) }
            return TextWidth.columns(scalar) == 2 ? max(135, Self.box(scalar.value)) : Self.widest(scalar.value)
        }
    }

    /// The width of a text in whole columns or ems, rounded up.
    package func size(_ text: String) -> Int {
        (text.unicodeScalars.reduce(0) { $0 + width($1) } + Self.unit - 1) / Self.unit
    }

    /// No character is narrower than `letter`, so 53 columns of a terminal are enough for 35 ems.
    private static let letter = 66

    /// The box with a number in it that is drawn for a character that no font has, at the sizes of windows.
    private static func box(_ value: UInt32) -> Int { value > 0xFFFF ? 160 : 120 }

    /// A mark that no font has is a box beside its letter.
    private static func mark(_ value: UInt32) -> Int {
        switch value {
        case 0x300...0x34F, 0x5B0...0x5C3, 0x64B...0x655: letter
        default: box(value)
        }
    }

    private static func ascii(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "W", "M", "m", "@", "%": 102
        case "A"..."Z", "&": 80
        case "w", "#", "+", "<", "=", ">", "^", "~": 86
        default: letter
        }
    }

    /// Measured in DejaVu Sans, Cantarell, Nimbus Sans and all of Noto Sans. A character outside of these ranges may be
    /// as wide as the widest there is (U+FDFD).
    private static func widest(_ value: UInt32) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if value > ranges[middle].last { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count ? ranges[low].width : 800
    }

    /// Each range begins behind the one before.
    private static let ranges: [(last: UInt32, width: Int)] = [
        (0xBF, 102), (0xC5, 80), (0xC6, 102), (0xD6, 80), (0xD7, 86), (0xDF, 80), (0xE5, letter), (0xE6, 102),
        (0xF6, letter), (0xF7, 86), (0xFF, letter), (0x17F, 110), (0x24F, 145), (0x2FF, 110), (0x36F, 800),
        (0x3FF, 106), (0x42F, 112), (0x45F, 96), (0x52F, 145), (0x58F, 102), (0x5FF, 76), (0x8FF, 178), (0x97F, 120),
        (0x1FFF, 250), (0x2029, 106), (0x2031, 178), (0x206F, 115), (0x27E7, 175), (0x27E9, letter), (0x2E39, 175),
    ]
}
