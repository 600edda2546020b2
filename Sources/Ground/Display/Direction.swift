/// In which direction a character is written, as far as it can move other characters (UAX #9).
enum Direction {
    case leftToRight, rightToLeft
    /// A number in Arabic-Indic digits: written from left to right, but placed by rules of its own beside other text.
    case arabicNumber

    /// `isolate` is the direction of the open isolate. A sign between two letters from right to left belongs to them,
    /// as in an abbreviation; a digit never does.
    init(_ scalar: Unicode.Scalar, _ next: Unicode.Scalar?, within isolate: Direction?) {
        self.init(scalar)
        if self == .leftToRight, isolate == .rightToLeft, let next, Direction(next) == .rightToLeft,
            "\"'-./".unicodeScalars.contains(scalar)
        {
            self = .rightToLeft
        }
    }

    private init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case ..<0x590: self = .leftToRight
        case 0x600...0x605, 0x660...0x669, 0x66B...0x66C, 0x6DD, 0x890...0x891, 0x8E2, 0x10D30...0x10D39,
            0x10E60...0x10E7E:
            self = .arabicNumber
        // Extended Arabic-Indic digits are European numbers to the algorithm.
        case 0x6F0...0x6F9: self = .leftToRight
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: self = .rightToLeft
        default: self = .leftToRight
        }
    }
}
