/// Rows in aligned columns, by the width that text takes on a terminal.
///
/// Written here because cells must be measured and cut as `DisplayText`: an isolate that is cut off must be closed. Cells
/// are aligned for terminals that draw marks on their letters, unless others would then break the line.
///
/// ```swift
/// var table = TextTable(header: ["REF", "TITLE"])
/// table.add([DisplayText("fernbank:77"), DisplayText(authorization.title)])
/// table.lines(width: 80)
/// ```
package struct TextTable: Sendable {
    private static let gap = 2
    private static let leastWidth = 8

    private let header: [String]
    private var rows: [[String]] = []

    /// One heading for each column, in our own words.
    package init(header: [String]) {
        self.header = header
    }

    /// Adds a row with one cell for each heading. Missing cells are empty, extra ones are left out.
    package mutating func add(_ cells: [DisplayText]) {
        rows.append(header.indices.map { $0 < cells.count ? cells[$0].line : "" })
    }

    /// The heading, then the rows. With a `width` the widest columns are narrowed until the table fits, down to 8 each,
    /// but never the first, which people copy from; cells that were cut end in `…`. Without a `width` nothing is cut.
    package func lines(width: Int?, style: Style = .plain) -> [String] {
        let widths = columnWidths(within: width)
        return [line(header, widths, style.bold)] + rows.map { line($0, widths) { $0 } }
    }

    private func line(_ cells: [String], _ widths: [Int], _ dress: (String) -> String) -> String {
        let texts = zip(cells, widths).map { TextWidth.cut($0, to: $1) }
        let marks = texts.dropLast().reduce(0) { $0 + TextWidth.columns($1) - TextWidth.usualColumns($1) }
        let fits = marks + TextWidth.columns(texts.last ?? "") <= widths.last ?? 0
        var line = ""
        var pending = 0
        for (text, width) in zip(texts, widths) {
            if !text.isEmpty {
                line += String(repeating: " ", count: pending) + dress(text)
                pending = 0
            }
            pending += width - (fits ? TextWidth.usualColumns(text) : TextWidth.columns(text)) + Self.gap
        }
        return line
    }

    private func columnWidths(within width: Int?) -> [Int] {
        var widths = header.indices.map { column in
            rows.reduce(TextWidth.columns(header[column])) { max($0, TextWidth.columns($1[column])) }
        }
        guard let width else { return widths }
        let room = max(Self.leastWidth, width - Self.gap * (widths.count - 1))
        for column in widths.indices.dropFirst() { widths[column] = min(widths[column], room) }
        while widths.reduce(0, +) > room,
            let widest = widths.indices.dropFirst().max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.leastWidth
        {
            let others = widths.indices.dropFirst().filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let excess = widths.reduce(0, +) - room
            let next = others < widths[widest] ? others : widths[widest] - 1
            widths[widest] = max(Self.leastWidth, next, widths[widest] - excess)
        }
        return widths
    }
}
