/// How many columns text takes on a terminal. Written here because the answers of wcwidth(3) depend on the process's
/// locale and on the version of the C library.
///
/// For text of a `DisplayText`. Terminals differ: in sequences of Hangul letters, flags and emoji, in combining marks
/// that are newer than their tables, in isolates, and some put each mark into a cell of its own (the Linux console).
/// `columns` is the larger number, so that a line may end early but never runs over. Sequences that some terminals draw
/// wider than the sum of their parts (an emoji with a variation selector, a keycap) never get here: `ScalarRule` escapes
/// them.
package enum TextWidth {
    /// The most columns that a text takes.
    package static func columns(_ text: String) -> Int {
        var sum = 0
        for scalar in text.unicodeScalars { sum += columns(scalar) }
        return sum
    }

    /// The most columns that one character takes: 1 or 2.
    package static func columns(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if value >= 0x1100, isWide(value) { return 2 }
        return scalar.properties.isEmoji ? 2 : 1
    }

    /// The columns that a text takes on a terminal that draws marks on their letters and no isolates. Only for aligning,
    /// never for the end of a line.
    package static func usualColumns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + (isMark($1) || isIsolate($1) ? 0 : columns($1)) }
    }

    /// Whether the character is drawn on the one before.
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
    }

    static func isIsolate(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ScalarRule.beginIsolate || scalar == ScalarRule.endIsolate
    }

    /// `text`, or the part of it that fits into so many columns or ems, with `…` at the end.
    package static func cut(_ text: String, to columns: Int, by measure: TextMeasure = .terminal) -> String {
        let room = columns * TextMeasure.unit
        let mark = measure.width("…")
        var kept = String.UnicodeScalarView()
        var width = 0
        var count = 0
        var countWithMark = 0
        // The width of the character that ends an open isolate.
        var closing = 0
        for scalar in text.unicodeScalars {
            // No letter loses a mark.
            if !isMark(scalar), scalar != ScalarRule.endIsolate, width + closing + mark <= room {
                countWithMark = count
            }
            let next = width + measure.width(scalar)
            if next > room {
                return columns > 0 ? closed(String.UnicodeScalarView(kept.prefix(countWithMark))) + "…" : ""
            }
            kept.append(scalar)
            width = next
            count += 1
            if isIsolate(scalar) { closing = scalar == ScalarRule.beginIsolate ? measure.width(scalar) : 0 }
        }
        return text
    }

    /// The text, with the end of an isolate added if it was cut off.
    private static func closed(_ text: String.UnicodeScalarView) -> String {
        let begin = text.lastIndex(of: ScalarRule.beginIsolate)
        let isOpen = begin.map { !text[$0...].contains(ScalarRule.endIsolate) } ?? false
        return String(text) + (isOpen ? String(ScalarRule.endIsolate) : "")
    }

    /// Ranges of East_Asian_Width W and F (Unicode 16, UAX #11), including unassigned gaps. Emoji outside of them are
    /// found by their property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if value > wide[middle].upperBound { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }
}
