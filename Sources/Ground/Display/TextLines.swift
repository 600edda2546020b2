/// The only place that turns text from outside into the lines that a person reads.
///
/// The place of a line shows its author, so the writer of a text must not decide where a line begins:
///
/// - A run of blanks is written as `[34 spaces]`. So nobody can push words to the beginning of the next line with
///   blanks. `DisplayText` escapes that bracket when it comes from outside.
/// - A line that was broken here, and not by a line feed, begins with `mark`, which `DisplayText` escapes when it comes
///   from outside.
///
/// Written here because lines must be measured as `TextMeasure` counts them, and no character may be lost; Foundation
/// does not break lines.
package enum TextLines {
    /// The beginning of a line that continues the one before.
    package static let mark = "↳ "

    /// Lines of at most `width` columns or ems (at least 4, and then room for a letter with its marks), broken at blanks; a word that is longer than a line is
    /// broken, too. The indentation of a line is kept, up to half of the width.
    ///
    /// `text` is text of a `DisplayText`, or our own.
    package static func of(_ text: String, width: Int, by measure: TextMeasure = .terminal) -> [String] {
        let width = max(4, width) * TextMeasure.unit
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            var breaker = LineBreaker(first: width, rest: width, mark: mark, measure)
            return breaker.lines(of: $0)
        }
    }

    /// A value behind its label, on a terminal: all of the value stands in the column behind `labels` columns, and the
    /// mark in the column of the labels. `value` has no line feed.
    package static func of(_ value: String, behind label: String, labels: Int, width: Int) -> [String] {
        let labels = max(labels, mark.unicodeScalars.count)
        let room = max(4, width - labels) * TextMeasure.unit
        let pad = String(repeating: " ", count: max(0, labels - TextWidth.columns(label)))
        let indented = mark + String(repeating: " ", count: labels - mark.unicodeScalars.count)
        var breaker = LineBreaker(first: room, rest: room + labels * TextMeasure.unit, mark: indented, .terminal)
        let lines = breaker.lines(of: value[...])
        return [label + (lines[0].isEmpty ? "" : pad + lines[0])] + lines.dropFirst()
    }

    /// A message of ours in lines of at most `width` columns (at least 8). Only a line that is wider is broken; then its attributes are
    /// dropped, and its runs of blanks, which are ours, stay. A command of ours stays on one line where it fits, so that it can be copied.
    package static func fitting(_ message: String, width: Int) -> [String] {
        let width = max(8, width)
        return message.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let plain = Style.removed(from: String(line))
            guard TextWidth.columns(plain) > width else { return [String(line).replacing(unbreakable, with: " ")] }
            let room = width * TextMeasure.unit
            var breaker = LineBreaker(first: room, rest: room, mark: mark, .terminal, writesRuns: false)
            return breaker.lines(of: withWholeCommands(plain, within: width)[...]).map {
                $0.replacing(unbreakable, with: " ")
            }
        }
    }

    /// A blank at which `fitting` breaks no line. No text from outside has it: `DisplayText` makes an ordinary blank of it.
    package static let unbreakable = "\u{A0}"
    private static let program = "countersign "

    /// The line, with `unbreakable` in place of the blanks of each command that fits on one line.
    private static func withWholeCommands(_ line: String, within width: Int) -> String {
        var parts = line.split(separator: program, omittingEmptySubsequences: false).map(String.init)
        let room = width - TextWidth.columns(mark + program)
        for index in parts.indices.dropFirst() {
            let blanks = parts[index].indices.filter { parts[index][$0] == " " }
            let end = blanks.first { ",;.)".contains(parts[index][..<$0].last ?? " ") } ?? parts[index].endIndex
            let command = parts[index][..<end]
            guard TextWidth.columns(String(command)) <= room else {
                parts[index] = program + parts[index]
                continue
            }
            // The blanks behind the command are no part of it.
            let words = command.split(separator: " ").joined(separator: unbreakable)
            let behind = command.reversed().prefix { $0 == " " }.count
            parts[index] =
                program.replacing(" ", with: unbreakable) + words + String(repeating: " ", count: behind)
                + parts[index][end...]
        }
        return parts.joined()
    }

    /// A text in one line, in which each line feed is ` ⏎ ` and a run of blanks is written out: for a value that begins
    /// no line of its own.
    package static func one(_ text: DisplayText) -> String {
        text.block.split(separator: "\n").map(unbroken).joined(separator: " \(ScalarRule.returnSign) ")
    }

    /// A line in which each run of blanks is written out, so that it can be broken anywhere. `line` has no line feed.
    package static func unbroken(_ line: some StringProtocol) -> String {
        var breaker = LineBreaker(first: .max, rest: .max, mark: mark, .terminal, keepsIndentation: false)
        return breaker.lines(of: Substring(line))[0]
    }
}

/// Breaks one line without line feeds.
private struct LineBreaker {
    /// In parts, as `TextMeasure` counts.
    private let first: Int
    private let rest: Int
    private let mark: String
    private let markWidth: Int
    private let measure: TextMeasure
    private let keepsIndentation: Bool
    private let writesRuns: Bool

    private var lines: [String] = []
    private var line = ""
    private var lineWidth = 0
    private var word: [Unicode.Scalar] = []
    private var wordWidth = 0
    /// Whether an isolate is open after the characters taken so far.
    private var isOpen = false
    /// The blanks between the line so far and the word that is being read.
    private var gap = 0
    /// Whether the word that is being read fits on a line.
    private var fitsOneLine = true
    /// Whether the line has a word; the mark alone is none.
    private var hasWord = false

    /// `first` and `rest`: the room of the first line and of each other one, the mark included.
    init(
        first: Int, rest: Int, mark: String, _ measure: TextMeasure, keepsIndentation: Bool = true,
        writesRuns: Bool = true
    ) {
        (self.first, self.rest, self.mark, self.measure) = (first, rest, mark, measure)
        self.keepsIndentation = keepsIndentation
        self.writesRuns = writesRuns
        markWidth = mark.unicodeScalars.reduce(0) { $0 + measure.width($1) }
    }

    mutating func lines(of text: Substring) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        func skipBlanks() {
            while index < scalars.count, scalars[index] == " " {
                gap += 1
                index += 1
            }
        }
        skipBlanks()
        if keepsIndentation {
            gap = index == scalars.count ? 0 : min(gap, room / 2 / measure.width(" "))
        } else {
            writeRun()
        }
        while index < scalars.count {
            if scalars[index] == " " {
                place()
                skipBlanks()
                if index < scalars.count { writeRun() } else { gap = 0 }
            } else {
                if word.isEmpty { fitsOneLine = fits(scalars, from: index) }
                let end = Self.endOfUnit(in: scalars, from: index)
                take(scalars[index..<end])
                index = end
            }
        }
        place()
        if hasWord || lines.isEmpty { endLine() }
        return lines
    }

    /// Behind the letter at `start` with the marks on it, the isolate that it begins and the one that it ends: no line
    /// ends between them.
    private static func endOfUnit(in scalars: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        if scalars[start] == ScalarRule.beginIsolate, end < scalars.count, scalars[end] != " " { end += 1 }
        while end < scalars.count, TextWidth.isMark(scalars[end]) { end += 1 }
        if end < scalars.count, scalars[end] == ScalarRule.endIsolate { end += 1 }
        return end
    }

    /// Whether the word at `start` fits on a line behind the mark.
    private func fits(_ scalars: [Unicode.Scalar], from start: Int) -> Bool {
        var (width, isOpen, index) = (markWidth + closing(isOpen), isOpen, start)
        while index < scalars.count, scalars[index] != " " {
            width += measure.width(scalars[index])
            isOpen = Self.isOpen(behind: scalars[index], isOpen)
            if width + closing(isOpen) > rest { return false }
            index += 1
        }
        return true
    }

    private static func isOpen(behind scalar: Unicode.Scalar, _ isOpen: Bool) -> Bool {
        TextWidth.isIsolate(scalar) ? scalar == ScalarRule.beginIsolate : isOpen
    }

    /// The room for the end of an isolate, which each line that ends inside of one has.
    private func closing(_ isOpen: Bool) -> Int { isOpen ? measure.width(ScalarRule.endIsolate) : 0 }

    private var room: Int { lines.isEmpty ? first : rest }
    private var gapWidth: Int { gap * measure.width(" ") }

    /// Writes more than one blank as words of this program, which stay together.
    private mutating func writeRun() {
        guard writesRuns, gap > 1 else { return }
        let words = Array("[\(gap) spaces]".unicodeScalars)
        gap = 0
        if hasWord, lineWidth + words.reduce(0, { $0 + measure.width($1) }) > room { breakLine() }
        for index in words.indices { take(words[index...index]) }
        place()
    }

    /// Takes characters that stay together.
    private mutating func take(_ unit: ArraySlice<Unicode.Scalar>) {
        var width = 0
        for scalar in unit {
            width += measure.width(scalar)
            isOpen = Self.isOpen(behind: scalar, isOpen)
        }
        let end = width + closing(isOpen)
        if lineWidth + gapWidth + wordWidth + end > room {
            // A word that must be broken anyway begins on the line of a short label.
            if hasWord, fitsOneLine || lineWidth > room / 3 { breakLine() }
            if lineWidth + gapWidth + wordWidth + end > room, !word.isEmpty {
                place()
                breakLine()
            }
        }
        word += unit
        wordWidth += width
    }

    private mutating func place() {
        guard !word.isEmpty else { return }
        line += String(repeating: " ", count: gap) + String(String.UnicodeScalarView(word))
        lineWidth += gapWidth + wordWidth
        (gap, wordWidth, hasWord) = (0, 0, true)
        word.removeAll()
    }

    /// Ends the line and begins the next one with the mark. An open isolate is closed here and opened again there,
    /// since a terminal treats each line as a paragraph of its own.
    private mutating func breakLine() {
        let isOpen = endLine()
        line = mark + (isOpen ? String(ScalarRule.beginIsolate) : "")
        lineWidth = markWidth + closing(isOpen)
        (gap, hasWord) = (0, false)
    }

    @discardableResult
    private mutating func endLine() -> Bool {
        let begin = line.unicodeScalars.lastIndex(of: ScalarRule.beginIsolate)
        let isOpen = begin.map { !line.unicodeScalars[$0...].contains(ScalarRule.endIsolate) } ?? false
        lines.append(isOpen ? line + String(ScalarRule.endIsolate) : line)
        return isOpen
    }
}
