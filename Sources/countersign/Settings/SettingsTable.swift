import TOMLKit

/// A table of the settings, read key by key: a missing value is nil, a wrong one throws `Fault`.
struct SettingsTable {
    /// The fault of a value, and its key.
    struct Fault: Error {
        /// The names of its tables, outermost first, and then its own.
        var key: [String]
        var reason: String
    }

    private let table: TOMLTable
    private let path: [String]

    init(_ table: TOMLTable, path: [String] = []) {
        self.table = table
        self.path = path
    }

    /// Reads a whole file. Throws `SettingsError`.
    static func read<Value>(_ bytes: [UInt8], _ make: (SettingsTable) throws -> Value) throws -> Value {
        let mark = Array("\u{FEFF}".utf8)
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        let text = String(decoding: bytes, as: UTF8.self)
        if let line = TOMLGuard.refusedLine(in: bytes) {
            throw SettingsError(line: line, in: SettingsText(text, upTo: line, refused: line))
        }
        do {
            return try make(SettingsTable(try TOMLTable(string: text)))
        } catch let error as TOMLParseError {
            let line = error.source.begin.line
            throw SettingsError(line: line, in: SettingsText(text, upTo: line))
        } catch let fault as Fault {
            throw SettingsError(fault, in: SettingsText(text))
        }
    }

    var keys: [String] { table.keys }

    /// Makes the fault of a value that was read.
    func fault(_ key: String, _ reason: String) -> Fault { Fault(key: path + [key], reason: reason) }

    func text(_ key: String) throws -> String? {
        try value(key, "a text") { value in value.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    func texts(_ key: String) throws -> [String]? {
        try value(key, "a list of texts") { value in
            let texts = value.array?.map { $0.string ?? "" } ?? [""]
            return texts.contains("") ? nil : texts
        }
    }

    /// Throws `Fault` if the table has any other key.
    func check(for known: Set<String>) throws {
        for key in keys where !known.contains(key) {
            throw Fault(key: path + [key], reason: "there is no such setting")
        }
    }

    /// Converts the value with `read`; nil if the key is missing. Throws `Fault`, which names the expected form, if
    /// `read` returns nil.
    func value<Value>(
        _ key: String, _ expected: String, _ read: (any TOMLValueConvertible) -> Value?
    ) throws -> Value? {
        guard let found = table[key] else { return nil }
        guard let value = read(found) else { throw Fault(key: path + [key], reason: "\(expected) is expected") }
        return value
    }

    func flag(_ key: String) throws -> Bool? {
        try value(key, "true or false") { $0.bool }
    }

    func number(_ key: String, of unit: String, in range: ClosedRange<Int>) throws -> Int? {
        let expected = "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        return try value(key, expected) { value in value.int.flatMap { range.contains($0) ? $0 : nil } }
    }

    func table(_ key: String, _ expected: String) throws -> SettingsTable? {
        try value(key, expected) { value in value.table.map { SettingsTable($0, path: path + [key]) } }
    }

    /// The key as it would be written in the file.
    static func name(_ key: [String]) -> String {
        key.map { part in
            let isBare = !part.isEmpty && part.utf8.allSatisfy { Self.bare.contains($0) }
            return isBare ? part : "\"\(part)\""
        }.joined(separator: ".")
    }

    /// The bytes that need no quotes in a key (TOML 1.0).
    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8)
}
