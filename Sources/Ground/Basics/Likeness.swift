/// Finds the names that a mistyped one may have meant.
package enum Likeness {
    /// The names within two edits (insert, delete, replace) of `wanted` or beginning with it, nearest first.
    package static func nearest(to wanted: String, among names: [String]) -> [String] {
        names.map { ($0, distance(Array(wanted.utf8), Array($0.utf8))) }
            .filter { $0.1 <= 2 || (!wanted.isEmpty && $0.0.hasPrefix(wanted)) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            .map(\.0)
    }

    /// The Levenshtein distance, computed row by row.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.prefix(64).enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (left == right ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
