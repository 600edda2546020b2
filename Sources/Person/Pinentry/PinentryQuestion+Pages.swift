package import Display

extension PinentryQuestion {
    /// Puts lines of any length into pages that no window cuts, below this headline and details of this size. A line
    /// that is longer than a page continues on the next one behind `TextLines.mark`. `abovePIN`: whether a PIN may be
    /// asked for below a page.
    package static func pages(
        of lines: [String], below headline: StaticString, _ details: [DisplayText], abovePIN: Bool = false
    ) -> [DisplayText] {
        let above = PinentryQuestion(headline, details: details)
        let empty = Room(below: above, abovePIN)
        var (pages, room) = ([[String]()], empty)
        for line in lines {
            var rest = Array(TextLines.unbroken(line).unicodeScalars)[...]
            while !rest.isEmpty {
                if let below = room.below(rest) {
                    pages[pages.count - 1].append(text(of: rest))
                    room = below
                    break
                }
                let isFirst = pages[pages.count - 1].isEmpty
                if !isFirst, empty.below(rest) != nil || room.fitting(rest) < leastPiece {
                    pages.append([])
                    room = empty
                    continue
                }
                // The rest goes to the next page.
                let count = max(1, room.fitting(rest))
                let piece = text(of: rest.prefix(count))
                pages[pages.count - 1].append(piece)
                rest = continued(after: piece, rest.dropFirst(count))
                guard !rest.isEmpty else { break }
                pages.append([])
                room = empty
            }
        }
        return pages.map { text($0.joined(separator: "\n")) }
    }

    /// The fewest characters of a line that stay behind on a page when the rest goes to the next one.
    private static let leastPiece = 40

    /// A piece of a line; an isolate that was cut is closed.
    private static func text(of piece: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(piece)) + (isOpen(piece) ? "\u{2069}" : "")
    }

    /// The rest of a line behind the mark; an isolate that was cut is opened again. The blank at the cut is left out.
    private static func continued(
        after piece: String, _ rest: ArraySlice<Unicode.Scalar>
    ) -> ArraySlice<Unicode.Scalar> {
        let isClosed =
            piece.unicodeScalars.last == "\u{2069}"
            && rest.first { "\u{2068}\u{2069}".unicodeScalars.contains($0) } == "\u{2069}"
        let text = rest.drop { $0 == " " }
        return text.isEmpty ? [] : TextLines.mark.unicodeScalars + (isClosed ? ["\u{2068}"] : []) + text
    }

    private static func isOpen(_ piece: ArraySlice<Unicode.Scalar>) -> Bool {
        piece.last { "\u{2068}\u{2069}".unicodeScalars.contains($0) } == "\u{2068}"
    }

    /// The space left on a page in each kind of window.
    private struct Room {
        /// A terminal of 24 lines has room for 16 and the buttons, GNOME's window for more on the smallest screen.
        private static let limits: [(window: PinentryWindow, rows: Int)] = [(.plain, 16), (.headlined, 20)]

        private var left: [(window: PinentryWindow, rows: Int, bytes: Int)]

        init(below question: PinentryQuestion, _ abovePIN: Bool) {
            left = Self.limits.map { window, rows in
                let above = question.lines(in: window, asksPIN: abovePIN)
                return (window, rows - above.count, PinentryQuestion.room - PinentryQuestion.length(above + [""]))
            }
        }

        private static func size(of line: String, in window: PinentryWindow) -> (rows: Int, bytes: Int) {
            let lines = TextLines.of(line, width: window.width(asksPIN: false), by: .proportional)
            return (lines.count, PinentryQuestion.length(lines + [""]))
        }

        /// The space left below this line; nil if the line does not fit.
        func below(_ line: ArraySlice<Unicode.Scalar>) -> Room? {
            guard line.count <= AssuanText.longestLine else { return nil }
            let line = PinentryQuestion.text(of: line)
            var room = self
            for (index, (window, rows, bytes)) in left.enumerated() {
                let size = Self.size(of: line, in: window)
                guard size.rows <= rows, size.bytes <= bytes else { return nil }
                room.left[index] = (window, rows - size.rows, bytes - size.bytes)
            }
            return room
        }

        /// How many characters of a line fit, up to a blank if there is one in the second half of them.
        func fitting(_ line: ArraySlice<Unicode.Scalar>) -> Int {
            var (fits, tooMany) = (0, min(line.count, AssuanText.longestLine) + 1)
            while fits + 1 < tooMany {
                let middle = (fits + tooMany) / 2
                if below(line.prefix(middle)) != nil { fits = middle } else { tooMany = middle }
            }
            // A mark stays with its letter.
            while fits > 1, fits < line.count, Self.staysWithItsLetter(line[line.startIndex + fits]) { fits -= 1 }
            let kept = line.prefix(fits)
            guard let blank = kept.lastIndex(of: " "), blank - kept.startIndex > fits / 2 else { return fits }
            return blank - kept.startIndex
        }

        private static func staysWithItsLetter(_ scalar: Unicode.Scalar) -> Bool {
            TextWidth.isMark(scalar) || scalar == "\u{2069}"
        }
    }
}
