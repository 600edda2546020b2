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
            var rest = Array(line.unicodeScalars)[...]
            while !rest.isEmpty {
                let isFirst = pages[pages.count - 1].isEmpty
                if !isFirst, !room.fits(rest), empty.fits(rest) || room.fitting(rest) < leastPiece {
                    pages.append([])
                    room = empty
                }
                let count = room.fits(rest) ? rest.count : max(1, room.fitting(rest))
                let piece = text(of: rest.prefix(count))
                room.take(piece)
                pages[pages.count - 1].append(piece)
                rest = rest.dropFirst(count)
                if !rest.isEmpty { rest = continued(after: piece, rest) }
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

    /// The rest of a line behind the mark; an isolate that was cut is opened again. A blank at the cut is left out.
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

    /// What is left of a page in each kind of window.
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

        func fits(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
            guard line.count <= AssuanText.longestLine else { return false }
            let line = PinentryQuestion.text(of: line)
            return left.allSatisfy { window, rows, bytes in
                let size = Self.size(of: line, in: window)
                return size.rows <= rows && size.bytes <= bytes
            }
        }

        /// How many characters of a line fit, up to a blank if there is one in the second half of them.
        func fitting(_ line: ArraySlice<Unicode.Scalar>) -> Int {
            var (fits, tooMany) = (0, min(line.count, AssuanText.longestLine) + 1)
            while fits + 1 < tooMany {
                let middle = (fits + tooMany) / 2
                if self.fits(line.prefix(middle)) { fits = middle } else { tooMany = middle }
            }
            // A mark stays with its letter.
            while fits > 1, fits < line.count, TextMeasure.terminal.width(line[line.startIndex + fits]) == 0 {
                fits -= 1
            }
            let kept = line.prefix(fits)
            guard let blank = kept.lastIndex(of: " "), blank - kept.startIndex > fits / 2 else { return fits }
            return blank - kept.startIndex
        }

        mutating func take(_ line: String) {
            left = left.map { window, rows, bytes in
                let size = Self.size(of: line, in: window)
                return (window, rows - size.rows, bytes - size.bytes)
            }
        }
    }
}
