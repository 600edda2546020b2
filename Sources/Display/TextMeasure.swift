/// How the width of text is counted: as on a terminal, or roughly as in a proportional font.
public enum TextMeasure: Sendable {
    case terminal
    /// In columns as wide as a digit. Wide letters count for more, narrow ones not for less. So a window that has room
    /// for this many digits does not break a line again that fits by this measure.
    case proportional

    /// The number of parts that a column is counted in.
    static let column = 10

    /// The width of one character in tenths of a column.
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

    /// The width of a text in whole columns, rounded up.
    public func columns(_ text: String) -> Int {
        (text.unicodeScalars.reduce(0) { $0 + width($1) } + Self.column - 1) / Self.column
    }
}
