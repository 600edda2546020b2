/// What becomes of one character of text from outside, by itself and by its neighbours.
enum ScalarRule {
    case keep, space, tab, newline
    /// A combining mark: kept on a base character, up to a limit.
    case mark
    /// Written out as `⟨U+…⟩`.
    case escape

    /// The brackets of an escape, and the sign for a line feed in one line. Only this program writes them, so they are
    /// escaped when they come from outside.
    static let open: Unicode.Scalar = "\u{27E8}"
    static let close: Unicode.Scalar = "\u{27E9}"
    static let returnSign: Unicode.Scalar = "\u{23CE}"
    static let keycap: Unicode.Scalar = "\u{20E3}"
    static let emojiStyle: Unicode.Scalar = "\u{FE0F}"
    /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. Only this program writes them, around text from right to left.
    static let beginIsolate: Unicode.Scalar = "\u{2068}"
    static let endIsolate: Unicode.Scalar = "\u{2069}"

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20: self = .space
        case 0x21..<0x7F: self = .keep
        case 0x0A: self = .newline
        case 0x09: self = .tab
        case Self.open.value, Self.returnSign.value: self = .escape
        case 0x2800: self = .escape  // the braille blank looks like a space
        default: self.init(general: scalar)
        }
    }

    private init(general scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint {
            self = .escape  // zero-width, fillers, variation selectors, tags
            return
        }
        switch properties.generalCategory {
        case .spaceSeparator: self = .space
        case .nonspacingMark, .enclosingMark: self = .mark
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

    /// Whether U+FE0F after `base` asks for the coloured form of an emoji and nothing else.
    static func isEmojiStyle(after base: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        base.value > 0x7F ? base.properties.isEmoji : isKeycapBase(base) && next == keycap
    }

    static func isKeycapBase(_ base: Unicode.Scalar) -> Bool {
        base.value <= 0x7F && base.properties.isEmoji
    }
}
