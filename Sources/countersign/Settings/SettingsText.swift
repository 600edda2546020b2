import TOMLKit

/// Finds the lines of keys in a TOML text, which the parser does not report. It uses the parser itself: a statement is
/// complete as soon as its lines are valid TOML.
struct SettingsText {
    private struct Statement {
        /// Counted from 1.
        var lines: ClosedRange<Int>
        /// The header of its table; empty at the top, and for a header.
        var header: String
        var text: String
        /// The parser would crash on it.
        var isRefused = false

        var isHeader: Bool { text.drop { $0 == " " || $0 == "\t" }.first == "[" }
        var table: TOMLTable? { isRefused ? nil : try? TOMLTable(string: header + text) }
    }

    private var statements: [Statement] = []
    /// The lines after the last complete statement.
    private var rest: Statement?

    /// Reads up to a line, or to the end. A line that `TOMLGuard` refused must be the last, and passed as `refused`.
    init(_ text: String, upTo limit: Int = .max, refused: Int? = nil) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var header = ""
        for (index, line) in lines.enumerated() where index < limit {
            var statement = rest ?? Statement(lines: index + 1...index + 1, header: header, text: "")
            statement.lines = statement.lines.lowerBound...index + 1
            statement.text += String(decoding: line, as: UTF8.self) + "\n"
            statement.isRefused = index + 1 == refused
            if statement.isHeader { statement.header = "" }
            guard statement.table != nil else {
                rest = statement
                continue
            }
            rest = nil
            statements.append(statement)
            if statement.isHeader { header = statement.text }
        }
    }

    /// The first line of the statement that sets this key or makes this table.
    func line(of key: [String]) -> Int? {
        statements.first { statement in
            var table = statement.table
            for name in key.dropLast() { table = table?[name]?.table }
            return key.last.flatMap { table?[$0] } != nil
        }?.lines.lowerBound
    }

    /// The key that the statement on this line sets, or the table that it makes, even if the rest of it is not valid
    /// TOML.
    func key(at line: Int) -> [String]? {
        guard let statement = (statements + [rest].compactMap(\.self)).last(where: { $0.lines.contains(line) }) else {
            return nil
        }
        if statement.isHeader { return statement.table.map(Self.onlyKey) }
        let start = statement.text.prefix { $0 != "\n" && $0 != "\r\n" }
        // The first equals sign that is not inside a quoted key.
        for sign in start.indices where start[sign] == "=" {
            if let table = try? TOMLTable(string: statement.header + start[..<sign] + "= 0") {
                let key = Self.onlyKey(of: table)
                return key.isEmpty ? nil : key
            }
        }
        return nil
    }

    private static func onlyKey(of table: TOMLTable) -> [String] {
        guard let name = table.keys.first else { return [] }
        return [name] + (table[name]?.table.map(onlyKey) ?? [])
    }
}
