internal import Display

/// How much of a note a server shows, and the lines that it gets for this.
///
/// A server breaks long lines, and cuts long notes, some without a mark. So the words of a payee could begin a line as
/// if they were the bank's name, or push it out of the note. Lines with words from outside are therefore broken here,
/// as in `TextLines`, and cut to the space that the server has, so that each text of the body has at least one.
struct NoteLayout: Sendable, Equatable {
    /// The most lines of a body.
    var lines: Int

    /// Measured with text of the usual size: GNOME Shell 43 cuts a body behind the sixth line without a mark.
    init(server name: String) { lines = name == "gnome-shell" ? 6 : 12 }

    /// The ems of a summary with words from outside. GNOME Shell shows 26 and xfce4-notifyd 28; others break a longer one.
    private static let summaryWidth = 25
    /// The ems of a line of the body. GNOME Shell has room for 29, the others by default for at least 28.
    static let width = 27
    /// The most columns of a summary, and of a text of the body.
    static let (widestSummary, widestText) = (80, 500)

    func summary(of note: Note) -> String {
        guard !note.isOurs else { return note.summary.line(within: Self.widestSummary) }
        return TextWidth.cut(note.summary.line, to: Self.summaryWidth, by: .proportional)
    }

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
        TextMeasure.proportional.size(text.line) <= Self.summaryWidth
    }

    private static func cut(_ lines: [String], to count: Int) -> [String] {
        guard count < lines.count else { return lines }
        let rest = lines[count].unicodeScalars.dropFirst(TextLines.mark.unicodeScalars.count)
        let last = lines[count - 1] + " " + String(String.UnicodeScalarView(rest))
        return lines.prefix(count - 1) + [TextWidth.cut(last, to: width, by: .proportional)]
    }
}
