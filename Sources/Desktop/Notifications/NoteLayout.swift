internal import Display

/// How much of a note a server shows, and the lines that it gets for this.
///
/// A server breaks long lines, and cuts long notes, some without a mark. So the words of a payee could begin a line as
/// if they were the bank's name, or push it out of the note. Lines with words from outside are therefore broken here,
/// as in `TextLines`, and cut to the space that the server has, so that each text of the body has at least one.
struct NoteLayout: Sendable, Equatable {
    /// How much of a summary is shown.
    enum Summary: Sendable, Equatable {
        /// As much as we send, on several lines.
        case whole
        /// This many ems.
        case ems(Int)
    }

    var summary: Summary
    /// The most lines of a body.
    var lines: Int

    /// Measured with text of the usual size: GNOME Shell 43 shows 26 ems of a summary, and cuts a body behind the sixth line
    /// without a mark; xfce4-notifyd shows 28 ems of a summary. A server that is not known may be as narrow.
    init(server name: String) {
        summary = ["dunst", "mako", "notify-osd", "Notification Daemon"].contains(name) ? .whole : .ems(25)
        lines = name == "gnome-shell" ? 6 : 12
    }

    /// The ems of a line of the body. GNOME Shell has room for 29, the others by default for at least 28.
    static let width = 27
    /// The most columns of a summary, and of a text of the body.
    static let (widestSummary, widestText) = (80, 500)

    func summary(of note: Note) -> String { note.summary.line(within: Self.widestSummary) }

    /// The lines of the body; the first ones repeat a summary that is not shown whole.
    func body(of note: Note) -> [String] {
        guard !note.isOurs else { return note.body.map(\.line) }
        let texts = ((showsWhole(note.summary) ? [] : [note.summary]) + note.body).prefix(lines)
        // The first texts matter most.
        var left = lines - texts.count
        return texts.flatMap { text in
            let broken = TextLines.of(text.line(within: Self.widestText), width: Self.width, by: .proportional)
            let count = min(broken.count, 1 + left)
            left -= count - 1
            return Self.cut(broken, to: count)
        }
    }

    private func showsWhole(_ text: DisplayText) -> Bool {
        switch summary {
        case .whole: text.line(within: Self.widestSummary) == text.line
        case .ems(let room): TextMeasure.proportional.size(text.line) <= room
        }
    }

    private static func cut(_ lines: [String], to count: Int) -> [String] {
        guard count < lines.count else { return lines }
        let last = lines[count - 1] + " " + lines[count].dropFirst(TextLines.mark.count)
        return lines.prefix(count - 1) + [TextWidth.cut(last, to: width, by: .proportional)]
    }
}
