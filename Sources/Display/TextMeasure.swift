/// What counts as the width of text: what a terminal gives it, or about what a proportional font does.
public enum TextMeasure: Sendable {
    case terminal
    /// In columns that are as wide as a digit. Wide letters count for more and narrow ones not for less, so a line that fits by
    /// this measure is broken no second time by a window that has room for so many digits.
    case proportional

    /// How many parts a column has.
    static let column = 10

    /// In tenths of a column.
    public func width(_ scalar: Unicode.Scalar) -> Int {
        let columns = TextWidth.columns(scalar)
        switch self {
        case .terminal: return columns * Self.column
        case .proportional:
            switch scalar {
            case "W", "M", "m", "@", "%", "…", "—", "⏎": return 16
            case "w", "&": return 13
            case "a"..."z", "0"..."9", " ": return Self.column
            default:
                let isCapital = columns == 1 && scalar.properties.isUppercase
                return isCapital ? 13 : columns * Self.column
            }
        }
    }

    /// In whole columns, rounded up.
    public func columns(_ text: String) -> Int {
        (text.unicodeScalars.reduce(0) { $0 + width($1) } + Self.column - 1) / Self.column
    }
}
