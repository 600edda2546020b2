/// Why a name or reference cannot be used: it names nothing, or several things, or a connection that cannot be called.
/// Equality is by code alone.
public struct LookupError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        case noConnection
        /// Like `noConnection`, and there are no other connections either.
        case noBank
        case noAuthorization
        case noConsent
        /// Several things match; `candidates` lists them.
        case ambiguous
        /// Only a whole reference `NAME:ID` is accepted here.
        case needsWholeReference
        /// The bank no longer knows this connection.
        case inactive
    }

    public var code: Code
    /// What the person wrote.
    public var wanted: String
    /// Names or references that the person may have meant.
    public var candidates: [String]

    public init(_ code: Code, wanted: String, candidates: [String] = []) {
        self.code = code
        self.wanted = wanted
        self.candidates = candidates
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension LookupError {
    /// No connection has this name; finds similar names.
    public init(noConnection wanted: String, among names: [String]) {
        self.init(
            names.isEmpty ? .noBank : .noConnection, wanted: wanted,
            candidates: Likeness.nearest(to: wanted, among: names))
    }
}

/// Finds the names that a mistyped one may have meant.
public enum Likeness {
    /// The names within two edits (insert, delete, replace) of `wanted` or beginning with it, nearest first.
    public static func nearest(to wanted: String, among names: [String]) -> [String] {
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
