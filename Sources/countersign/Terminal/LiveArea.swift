import CTerminal
import Display
import Glibc

/// The last lines of the terminal, redrawn in place while the lines above scroll as usual. Only this type writes
/// control sequences (ECMA-48: CUU, ED, and xterm's ED 3), so everything else on the screen is plain text.
struct LiveArea {
    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "\r" }
    private static let clearBelow = "\u{1B}[J"
    private static let clearScreenAndScrollback = "\u{1B}[H\u{1B}[2J\u{1B}[3J"

    private var drawn: [String] = []
    private var columns = 0
    private var rows = 0
    /// The widths of lines that a shrinking terminal pushed off its top. When it grows, they come back above the area.
    private var stranded: [Int] = []

    /// The terminal's columns and rows; 80 by 24 if unknown.
    static var size: (columns: Int, rows: Int) {
        let columns = Int(countersign_terminal_columns(STDERR_FILENO))
        let rows = Int(countersign_terminal_rows(STDERR_FILENO))
        return (columns == 0 ? 80 : columns, rows == 0 ? 24 : rows)
    }

    /// Replaces the area. Writes nothing if it is unchanged.
    mutating func draw(_ lines: [String]) {
        let (columns, rows) = Self.size
        let isResized = columns != self.columns || rows != self.rows
        guard lines != drawn || isResized else { return }
        Terminal.draw(home + Self.clearBelow + lines.map { $0 + "\n" }.joined())
        if isResized { stranded = Self.beyondTop(stranded + drawn.map(Self.width), columns, rows) }
        drawn = lines
        (self.columns, self.rows) = (columns, rows)
    }

    /// Removes the area; the next line is written in its place.
    mutating func erase() {
        guard !drawn.isEmpty else { return }
        Terminal.draw(home + Self.clearBelow)
        drawn = []
        stranded = []
    }

    /// Clears the screen, and the lines that have scrolled off.
    mutating func wipe() {
        Terminal.draw(Self.clearScreenAndScrollback)
        drawn = []
        stranded = []
    }

    /// Moves the cursor to the start of the area. A terminal that became narrower has wrapped its lines, and a terminal
    /// that grew has brought back lines that it had pushed away.
    private var home: String {
        let (columns, rows) = Self.size
        let isResized = columns != self.columns || rows != self.rows
        let widths = (isResized ? stranded : []) + drawn.map(Self.width)
        return Self.up(widths.map { Self.height($0, columns) }.reduce(0, +))
    }

    /// The parts of the lines above the cursor that do not fit on the screen.
    private static func beyondTop(_ widths: [Int], _ columns: Int, _ rows: Int) -> [Int] {
        var room = rows - 1
        var lost: [Int] = []
        for width in widths.reversed() {
            let height = height(width, columns)
            if height > room { lost.append(width - room * columns) }
            room = max(0, room - height)
        }
        return lost.reversed()
    }

    /// How many rows a line takes, without the attributes that `Style` sets.
    static func height(of line: String, _ columns: Int) -> Int { height(width(of: line), columns) }

    /// How many rows a line of this width takes.
    private static func height(_ width: Int, _ columns: Int) -> Int { max(1, (width + columns - 1) / columns) }

    /// The columns of a line, without the attributes that `Style` sets.
    private static func width(of line: String) -> Int { TextWidth.usualColumns(Style.removed(from: line)) }
}
