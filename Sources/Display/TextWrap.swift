/// Breaks text of a `DisplayText` into lines that fit.
///
/// Written here because lines must be measured in columns as `TextMeasure` counts them, and no character may be lost;
/// Foundation does not break lines.
public enum TextWrap {
    /// Lines of at most `width` columns (at least 2), broken at spaces; a word that is longer than a line is broken,
    /// too. Only spaces at a break are left out. The indentation of a line is kept, up to half of the width.
    public static func lines(_ text: String, width: Int, by measure: TextMeasure = .terminal) -> [String] {
        let width = max(2, width)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, width, measure) }
    }

    private static func wrap(_ line: Substring, _ width: Int, _ measure: TextMeasure) -> [String] {
        var builder = Builder(width: width * TextMeasure.column, measure: measure)
        let scalars = line.unicodeScalars
        let text = scalars.drop { $0 == " " }
        let indentation = scalars.distance(from: scalars.startIndex, to: text.startIndex)
        builder.gap = text.isEmpty ? 0 : min(indentation, width / 2)
        for scalar in text {
            if scalar == " " { builder.endWord() } else { builder.take(scalar) }
        }
        return builder.finish()
    }

    private struct Builder {
        /// In tenths of a column, as `TextMeasure` counts.
        let width: Int
        let measure: TextMeasure
        /// The number of spaces between the line so far and the word that is being read.
        var gap = 0
        private var lines: [String] = []
        private var line = ""
        private var lineWidth = 0
        private var word = String.UnicodeScalarView()
        private var wordWidth = 0

        init(width: Int, measure: TextMeasure) {
            self.width = width
            self.measure = measure
        }

        private var gapWidth: Int { gap * measure.width(" ") }

        mutating func take(_ scalar: Unicode.Scalar) {
            let columns = measure.width(scalar)
            if columns > 0, lineWidth + gapWidth + wordWidth + columns > width {
                if lineWidth > 0 {
                    breakLine()
                } else if gapWidth + wordWidth + columns > width {
                    place()
                    breakLine()
                }
            }
            word.append(scalar)
            wordWidth += columns
        }

        mutating func endWord() {
            if !word.isEmpty { place() }
            gap += 1
        }

        mutating func finish() -> [String] {
            if !word.isEmpty { place() }
            if lineWidth > 0 || lines.isEmpty { breakLine() }
            return lines
        }

        private mutating func place() {
            line += String(repeating: " ", count: gap) + String(word)
            lineWidth += gapWidth + wordWidth
            gap = 0
            word.removeAll()
            wordWidth = 0
        }

        /// Ends the line. An open isolate is closed here and opened again on the next line, since a terminal treats
        /// each line as a paragraph of its own.
        private mutating func breakLine() {
            let begin = line.unicodeScalars.lastIndex(of: ScalarRule.beginIsolate)
            let isOpen = begin.map { !line.unicodeScalars[$0...].contains(ScalarRule.endIsolate) } ?? false
            lines.append(isOpen ? line + String(ScalarRule.endIsolate) : line)
            line = isOpen ? String(ScalarRule.beginIsolate) : ""
            lineWidth = 0
            gap = 0
        }
    }
}
