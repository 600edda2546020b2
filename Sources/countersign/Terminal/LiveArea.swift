import CTerminal
import Display
import Glibc

/// The last lines of the terminal, redrawn in place while what stands above them scrolls away as usual. The only place
/// that writes control sequences (ECMA-48: CUU, ED, and xterm's ED 3), so everything else on the screen is plain text.
struct LiveArea {
    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "\r" }
    private static let clearBelow = "\u{1B}[J"
    private static let clearScreenAndScrollback = "\u{1B}[H\u{1B}[2J\u{1B}[3J"

    private var drawn: [String] = []
    private var columns = 0

    /// Columns and rows of the terminal, 80 by 24 when unknown.
    static var size: (columns: Int, rows: Int) {
        let columns = Int(countersign_terminal_columns(STDERR_FILENO))
        let rows = Int(countersign_terminal_rows(STDERR_FILENO))
        return (columns == 0 ? 80 : columns, rows == 0 ? 24 : rows)
    }

    /// Replaces the area; nothing is written when it stands there already.
    mutating func draw(_ lines: [String]) {
        let columns = Self.size.columns
        guard lines != drawn || columns != self.columns else { return }
        Terminal.say(home + Self.clearBelow + lines.map { $0 + "\n" }.joined(), newline: false)
        drawn = lines
        self.columns = columns
    }

    /// Takes the area away; the next line is written in its place.
    mutating func erase() {
        guard !drawn.isEmpty else { return }
        Terminal.say(home + Self.clearBelow, newline: false)
        drawn = []
    }

    /// Takes everything away, also what has scrolled off.
    mutating func wipe() {
        Terminal.say(Self.clearScreenAndScrollback, newline: false)
        drawn = []
    }

    /// To the first column of the area's first row; a terminal that became narrower has wrapped its lines.
    private var home: String {
        let columns = Self.size.columns
        return Self.up(drawn.map { max(1, (Self.width(of: $0) + columns - 1) / columns) }.reduce(0, +))
    }

    /// Columns of a line, without the attributes that `Style` sets.
    private static func width(of line: String) -> Int {
        line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
            TextWidth.columns(String(index == 0 ? part : part.drop { $0 != "m" }.dropFirst()))
        }.reduce(0, +)
    }
}
