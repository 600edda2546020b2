import Basics
import CTerminal
import Display
import Glibc

extension Terminal {
    /// The rows that a question needs below what it is about: the recap, the PIN up to three times, and what was wrong with it.
    private static let rowsOfQuestion = 8

    /// Shows what a question on this terminal is about. If it does not fit on the screen together with the question, shows it page by
    /// page, and returns only after the person has seen the last one. Writes no control sequences, so it works on any terminal.
    ///
    /// Returns whether all of it is still in sight: if not, the question must repeat the essentials. Throws `cancelled` if the person
    /// leaves, and if the question is taken back.
    func show(_ lines: [String]) throws -> Bool {
        let (columns, rows) = LiveArea.size
        let heights = lines.map { LiveArea.height(of: $0, columns) }
        let isInSight = heights.reduce(0, +) <= rows - Self.rowsOfQuestion
        guard isInteractive, !isInSight else {
            for line in lines { Self.say(line) }
            return true
        }
        try requireInteractive()
        guard countersign_terminal_silence(STDIN_FILENO) == 0 else {
            throw Self.isInBackground(of: STDIN_FILENO) ? Failure.inBackground : .needsTerminal
        }
        defer { countersign_terminal_restore() }
        var pages = Pages(heights: heights, room: rows - 2)
        var part = pages.page
        while true {
            for line in lines[part] { Self.say(line) }
            switch try turn(pages, of: lines.count, columns) {
            case .on where pages.isLast: return false
            case .on: part = pages.forward()
            case .lineOn: part = pages.lineForward()
            case .back:
                part = pages.back()
                Self.say("(back to line \(part.lowerBound + 1))")
            }
        }
    }

    private enum Turn { case on, lineOn, back }

    /// Says which lines these are, and waits for a key that turns the page.
    private func turn(_ pages: Pages, of count: Int, _ columns: Int) throws -> Turn {
        let place = "lines \(pages.page.lowerBound + 1) to \(pages.page.upperBound) of \(count)"
        let end = pages.isLast ? ", the end" : ""
        let status = TextWidth.cut(
            "[\(place)\(end)] space: \(pages.isLast ? "go on" : "next page"), b: back, q: cancel", to: columns - 1)
        Self.say(status, newline: false)
        // Spaces instead of a control sequence.
        defer { Self.say("\r" + String(repeating: " ", count: TextWidth.columns(status)) + "\r", newline: false) }
        while true {
            guard recall?.awaitInput(of: STDIN_FILENO) != false else { throw Failure.cancelled }
            guard let key = KeyWait.key() else { continue }
            switch key {
            case Key(" "), Key("f"), .pageDown, .right: return .on
            case _ where key.isEnter: return pages.isLast ? .on : .lineOn
            case Key("j"), .down:
                if !pages.isLast { return .lineOn }
            case Key("b"), Key("k"), .pageUp, .up, .left:
                if !pages.isFirst { return .back }
            case Key("q"), .interrupt, .character(4): throw Failure.cancelled
            case .suspend:
                Self.say("")
                try stop(STDIN_FILENO)
                Self.say(status, newline: false)
            default: continue
            }
        }
    }

    /// Stops the job as ctrl-z does elsewhere, with the terminal as the person had it; returns when the job goes on.
    func stop(_ tty: Int32) throws {
        countersign_terminal_stop()
        guard countersign_terminal_silence(tty) == 0 else { throw Failure.inBackground }
    }
}
