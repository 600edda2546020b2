import FoundationEssentials

/// A table of JSON values with text keys, stored without encryption because they must be written while the vault is
/// locked. It must hold nothing that reveals a bank, an issuer or a person. Errors are `StoreError`s.
package struct ClearTable<Value: Codable & Equatable>: Sendable {
    private let name: String
    private let database: StateDatabase

    package init(_ name: String, in database: StateDatabase) {
        self.name = name
        self.database = database
    }

    /// A row that cannot be read is left out.
    package func values() throws -> [String: Value] {
        Dictionary(try judged().compactMap(\.self), uniquingKeysWith: { first, _ in first })
    }

    /// How many rows cannot be read.
    package func damagedRows() throws -> Int { try judged().count { $0 == nil } }

    private func judged() throws -> [(key: String, value: Value)?] {
        let rows = try database.readOnce { db in try db.rows("SELECT key, content FROM \(name)") } ?? []
        return rows.map { row in
            guard let key = row.text("key"), let content = row.bytes("content"),
                let value = try? JSONDecoder().decode(Value.self, from: content)
            else { return nil }
            return (key, value)
        }
    }

    /// Writes a value in place of the present one.
    package func set(_ value: Value, as key: String) throws {
        let content = try JSONEncoder().encode(value)
        try database.write { db in
            try db.execute(
                "INSERT OR REPLACE INTO \(name) (key, content) VALUES (?, ?)", [.text(key), .bytes(content)])
        }
    }

    /// Removes this value, unless there is another one meanwhile.
    package func remove(_ value: Value, as key: String) throws {
        try database.lock.hold {
            guard try values()[key] == value else { return }
            try database.write { try $0.execute("DELETE FROM \(name) WHERE key = ?", [.text(key)]) }
        }
    }
}
