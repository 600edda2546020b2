import Basics
import CTerminal
import Display
import Glibc

extension Terminal {
    /// Shows the subject of a question on this terminal. If it does not fit on the screen together with the question,
    /// shows it page by page, and returns only after the person has seen the last one. Writes no control sequences, so
    /// it works on any terminal.
    ///
    /// `draw` makes the lines for the terminal's present size. If that changes between two pages, they are made anew, and the page that
    /// is read is shown again; the first one, if its lines are others now.
    ///
    /// Returns whether all of it is still in sight: if not, the question must repeat the essentials. Throws `cancelled` if the person
    /// leaves, and if the question is taken back.
    func show(_ draw: () -> [String]) throws -> Bool {
        var sheet = Sheet(draw())
        guard isInteractive, !sheet.pages.isInSight else {
            for line in sheet.lines { Self.say(line) }
            return true
        }
        try requireInteractive()
        guard countersign_terminal_silence(STDIN_FILENO) == 0 else {
            throw Self.isInBackground(of: STDIN_FILENO) ? Failure.inBackground : .needsTerminal
        }
        defer { countersign_terminal_restore() }
        let heard = countersign_terminal_tell_resizes(Self.resizes?.writer ?? -1)
        defer { _ = countersign_terminal_tell_resizes(heard) }
        var part = sheet.pages.page
        while true {
            for line in sheet.lines[part] { Self.say(line) }
            switch try turn(sheet) {
            case .on where sheet.pages.isLast: return false
            case .on: part = sheet.pages.forward()
            case .lineOn: part = sheet.pages.lineForward()
            case .back:
                part = sheet.pages.back()
                Self.say("(back to line \(part.lowerBound + 1))")
            case .resized:
                sheet = Sheet(draw(), after: sheet)
                Self.say("(another size; again from line \(sheet.pages.page.lowerBound + 1))")
                if sheet.pages.isInSight {
                    for line in sheet.lines { Self.say(line) }
                    return true
                }
                part = sheet.pages.page
            }
        }
    }

    /// The lines to read, laid out for one size of the terminal.
    private struct Sheet {
        let lines: [String]
        let size: (columns: Int, rows: Int)
        var pages: Pages

        init(_ lines: [String], after earlier: Sheet? = nil) {
            let size = LiveArea.size
            self.size = size
            // As they are printed, also on a terminal that is narrower than a card is drawn.
            let fitting = lines.flatMap { TextLines.fitting($0, width: size.columns) }
            self.lines = fitting
            let heights = fitting.map { LiveArea.height(of: $0, size.columns) }
            let first = earlier?.lines == fitting ? earlier?.pages.page.lowerBound : nil
            pages = Pages(heights: heights, rows: size.rows, from: first ?? 0)
        }
    }

    private enum Turn { case on, lineOn, back, resized }

    /// The pipe that the handler of SIGWINCH writes to while pages are read.
    private static let resizes = try? Pipe()

    /// Says which lines these are, and waits for a key that turns the page, or for another size of the terminal.
    private func turn(_ sheet: Sheet) throws -> Turn {
        let pages = sheet.pages
        let place = "lines \(pages.page.lowerBound + 1) to \(pages.page.upperBound) of \(sheet.lines.count)"
        let end = pages.isLast ? ", the end" : ""
        let status = TextWidth.cut(
            "[\(place)\(end)] space: \(pages.isLast ? "go on" : "next page"), b: back, q: cancel",
            to: sheet.size.columns - 1)
        Self.draw(status)
        // Spaces instead of a control sequence.
        defer { Self.draw("\r" + String(repeating: " ", count: TextWidth.columns(status)) + "\r") }
        while true {
            let hasKey = try awaitKey()
            guard LiveArea.size == sheet.size else {
                // A key that was pressed before this page was drawn turns it not.
                tcflush(STDIN_FILENO, TCIFLUSH)
                return .resized
            }
            guard hasKey, let key = KeyWait.key() else { continue }
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
                guard LiveArea.size == sheet.size else { return .resized }
                Self.draw(status)
            default: continue
            }
        }
    }

    /// Waits for a key or another size; returns whether a key came. Throws `cancelled` if the question is taken back.
    private func awaitKey() throws -> Bool {
        var sources = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Self.resizes?.reader ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        if let recall, !recall.awaitInput(of: sources[0].fd, orOf: sources[1].fd) { throw Failure.cancelled }
        // The array is lent for the call, with its own count. A signal ends the wait, too.
        guard poll(&sources, nfds_t(sources.count), recall == nil ? -1 : 0) > 0 else { return false }
        if sources[1].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(sources[1].fd, &bytes, bytes.count) > 0 {}
        }
        return sources[0].revents != 0
    }

    /// Stops the job as ctrl-z does elsewhere, with the terminal as the person had it; returns when the job goes on.
    func stop(_ tty: Int32) throws {
        countersign_terminal_stop()
        guard countersign_terminal_silence(tty) == 0 else { throw Failure.inBackground }
    }
}
