/// The treatment of one character of text from outside, by itself and by its neighbours.
enum ScalarRule {
    case keep, space, newline
    /// A combining mark: kept on a base character, up to a limit.
    case mark
    /// Written out as `⟨U+…⟩`.
    case escape

    /// The brackets of an escape, the sign for a line feed in one line, and the mark of a line that was broken here. Only
    /// this program writes them, so they are escaped when they come from outside.
    static let open: Unicode.Scalar = "\u{27E8}"
    static let close: Unicode.Scalar = "\u{27E9}"
    static let returnSign: Unicode.Scalar = "\u{23CE}"
    static let continuation: Unicode.Scalar = "\u{21B3}"
    /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. Only this program writes them, around text from right to left.
    static let beginIsolate: Unicode.Scalar = "\u{2068}"
    static let endIsolate: Unicode.Scalar = "\u{2069}"

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20, 0x09: self = .space
        case 0x21..<0x7F: self = .keep
        case 0x0A: self = .newline
        case Self.open.value, Self.returnSign.value, Self.continuation.value: self = .escape
        case 0x2800: self = .escape  // the braille blank looks like a space
        default: self.init(general: scalar)
        }
    }

    private init(general scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint {
            self = .escape  // zero-width, fillers, tags, and variation selectors, which make some emoji wider
            return
        }
        switch properties.generalCategory {
        case .spaceSeparator: self = .space
        case .nonspacingMark: self = .mark
        // Some terminals draw a keycap in two columns, others in one.
        case .enclosingMark: self = .escape
        // Controls, bidi controls and other format characters, line and paragraph separators, and characters that fonts
        // do not show reliably.
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            self = .escape
        default: self = .keep
        }
    }

    /// Whether a combining mark may stand on this character. Not on digits and ASCII signs, so that no amount can be
    /// struck through or altered.
    static func carriesMarks(_ base: Unicode.Scalar) -> Bool {
        base.value > 0x7F ? base != close : base.properties.isAlphabetic
    }
}
