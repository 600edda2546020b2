/// Builds both forms of a `DisplayText`, character by character, each in constant time.
struct VisibleText {
    /// Combining marks that one character may have: as many as languages in use need.
    private static let mostMarks = 4

    // UTF-8 in an array, since not every way of appending to a view of a string takes constant time.
    private var line: [UInt8] = []
    private var block: [UInt8] = []
    private var sawText = false

    // White space is held back until something follows it, so that none stands at the end.
    private var newlines = 0
    private var spaces = 0

    private var previous: Unicode.Scalar?
    private var marks = 0
    private var surplusMarks = 0
    private var escaped: (scalar: Unicode.Scalar, count: Int)?
    /// The direction of the characters in the open isolate; nil when none is open.
    private var isolated: Direction?

    mutating func append(_ text: String) {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            let next = index < scalars.endIndex ? scalars[index] : nil
            if scalar == "\r", next == "\n" { continue }
            if scalar == "[", Self.beginsMark(scalars[index...]) {
                escape(scalar)
                continue
            }
            take(scalar, next)
        }
    }

    /// Appends text of this program, free of control characters, as it is. It may have escapes and marks that text from
    /// outside cannot have.
    mutating func append(own text: String) {
        for scalar in text.unicodeScalars {
            if scalar == " " {
                take(scalar, nil)
            } else {
                flush()
                endIsolate()
                keep(scalar)
                previous = nil
                if scalar != ScalarRule.open, scalar != ScalarRule.close { sawText = true }
            }
        }
    }

    /// Whether this begins like `[hidden`, the mark of hidden markup, or `[12 spaces`, the mark of a run of blanks. Only
    /// this program writes those.
    private static func beginsMark(_ rest: Substring.UnicodeScalarView) -> Bool {
        func begins(_ rest: Substring.UnicodeScalarView, _ word: String) -> Bool {
            rest.prefix(word.utf8.count).map { $0.properties.lowercaseMapping }.joined() == word
        }
        if begins(rest, "hidden") { return true }
        let digits = rest.prefix(mostDigits).prefix { ("0"..."9").contains($0) }
        guard let blank = rest.dropFirst(digits.count).first, !digits.isEmpty, ScalarRule(blank) == .space else {
            return false
        }
        return begins(rest.dropFirst(digits.count + 1), "space")
    }

    /// As many digits as the number of blanks in the longest text can have.
    private static let mostDigits = 9

    mutating func finish() -> (line: String, block: String, isBlank: Bool) {
        flush()
        endIsolate()
        return (String(decoding: line, as: UTF8.self), String(decoding: block, as: UTF8.self), !sawText)
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ next: Unicode.Scalar?) {
        switch ScalarRule(scalar) {
        case .keep:
            flush()
            turn(to: Direction(scalar, next, within: hasPending ? nil : isolated))
            keep(scalar)
            previous = scalar
            sawText = true
        case .space:
            flush()
            spaces += 1
        case .newline:
            flush()
            newlines += 1
            spaces = 0
        case .mark:
            takeMark(scalar)
        case .escape:
            escape(scalar)
        }
    }

    private mutating func takeMark(_ scalar: Unicode.Scalar) {
        if surplusMarks > 0 {
            surplusMarks += 1
        } else if escaped == nil, let base = previous, spaces == 0, newlines == 0,
            ScalarRule.carriesMarks(base)
        {
            if marks < Self.mostMarks {
                marks += 1
                write(scalar)
            } else {
                surplusMarks = 1
            }
        } else {
            escape(scalar)
        }
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        if let run = escaped, run.scalar == scalar, surplusMarks == 0 {
            escaped = (scalar, run.count + 1)
        } else {
            flush()
            escaped = (scalar, 1)
        }
    }

    /// Opens and closes isolates, so that letters from right to left reorder neither the digits beside them nor any
    /// other value on the line (UAX #9, section 2.4).
    private mutating func turn(to direction: Direction) {
        if isolated == direction, newlines == 0, direction == .rightToLeft || spaces == 0 { return }
        endIsolate()
        guard direction != .leftToRight else { return }
        if newlines > 0 || spaces > 0 { writeSpace() }
        write(ScalarRule.beginIsolate)
        isolated = direction
    }

    private mutating func endIsolate() {
        guard isolated != nil else { return }
        write(ScalarRule.endIsolate)
        isolated = nil
    }

    private var hasPending: Bool { escaped != nil || surplusMarks > 0 || spaces > 0 || newlines > 0 }

    /// Writes the escape that was held back to be counted. No combining mark may follow it.
    private mutating func flush() {
        if let (scalar, count) = escaped {
            escaped = nil
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
            keep(bracketed: "U+" + number + (count > 1 ? "×\(count)" : ""))
        }
        if surplusMarks > 0 {
            let count = surplusMarks
            surplusMarks = 0
            keep(bracketed: "+\(count) \(count == 1 ? "mark" : "marks")")
        }
    }

    private mutating func keep(bracketed text: String) {
        endIsolate()
        keep(ScalarRule.open)
        line += text.utf8
        block += text.utf8
        keep(ScalarRule.close)
        previous = nil
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        if newlines > 0 || spaces > 0 {
            writeSpace()
        }
        write(scalar)
        marks = 0
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            line.append(UInt8(scalar.value))
            block.append(UInt8(scalar.value))
        } else {
            line += String(Character(scalar)).utf8
            block += String(Character(scalar)).utf8
        }
    }

    private mutating func writeSpace() {
        if !block.isEmpty {
            if newlines > 0 {
                line += " \(ScalarRule.returnSign) ".utf8
                block += repeatElement(UInt8(ascii: "\n"), count: min(newlines, 2))
            } else {
                line.append(UInt8(ascii: " "))
            }
            block += repeatElement(UInt8(ascii: " "), count: spaces)
        }
        newlines = 0
        spaces = 0
    }
}
