import Display

extension Card {
    /// Title and fingerprint, to stand beside a question when the card is no longer in sight. Of a long title, two
    /// lines, the second cut with `…`.
    package func recap(within width: Int) -> [String] {
        let labels = 13
        let rows = TextLines.of(TextLines.one(title), behind: "title", labels: labels, width: width)
        let title = rows.count > 2 ? [rows[0], TextWidth.cut(rows[1] + "…" + rows[2], to: width)] : rows
        return title + TextLines.of(fingerprint.short, behind: "fingerprint", labels: labels, width: width)
    }
}
