/// Breaks text of `DisplayText` into lines that fit.
public enum TextWrap {
    /// Lines of at most `width` columns (at least 2): broken at spaces, and within a word where one word is longer than a
    /// line. Nothing but spaces at a break is left out. A line's indentation stays, up to half of the width.
    public static func lines(_ text: String, width: Int) -> [String] {
        let width = max(2, width)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, width) }
    }

    private static func wrap(_ line: Substring, _ width: Int) -> [String] {
        var builder = Builder(width: width)
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
        let width: Int
        /// Spaces between what is on the line and the word that is being read.
        var gap = 0
        private var lines: [String] = []
        private var line = ""
        private var lineWidth = 0
        private var word = String.UnicodeScalarView()
        private var wordWidth = 0

        init(width: Int) { self.width = width }

        mutating func take(_ scalar: Unicode.Scalar) {
            let columns = TextWidth.columns(scalar)
            if columns > 0, lineWidth + gap + wordWidth + columns > width {
                if lineWidth > 0 {
                    breakLine()
                } else if gap + wordWidth + columns > width {
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
            lineWidth += gap + wordWidth
            gap = 0
            word.removeAll()
            wordWidth = 0
        }

        /// An isolate goes on in the next line: each line is a paragraph of its own to a terminal.
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
