import Basics
import FoundationEssentials
package import Keys

/// A table of sealed rows. Each row is one value as JSON. In place of the row's key the database has a MAC of it, which
/// does not reveal the key. The value is sealed under a name made from the table's name and that MAC.
package struct SealedTable<Value: Codable & Sendable>: Sendable {
    private let name: String
    private let database: StateDatabase
    private let sealer: any RowSealer
    private let opened = OpenedRows<Value>()

    /// `name` is a table that `Schema` makes.
    package init(_ name: String, in database: StateDatabase, sealer: any RowSealer) {
        self.name = name
        self.database = database
        self.sealer = sealer
    }

    /// All values, in no particular order, without those of rows that were changed from outside.
    package func values() throws -> [Value] { try judged().values }

    /// How many rows were changed from outside, and cannot be read.
    package func damagedRows() throws -> Int { try judged().damaged }

    private func judged() throws -> JudgedRows<Value> {
        try opened.all(
            in: database, fetch: { try sealedRows($0, "SELECT key, content FROM \(name)") }, open: open)
    }

    /// Runs `change` under the state lock. Throws `PINError` `notSet` when the vault was destroyed meanwhile, since
    /// nothing could open the rows that `change` seals.
    package func changing<R>(_ change: () throws -> R) throws -> R {
        try database.lock.hold {
            try sealer.demandCurrent()
            return try change()
        }
    }

    /// Adds a row. `isEnded` can be read without the PIN (`StateDatabase.endedRows`).
    package func insert(_ value: Value, as key: String, isEnded: Bool) throws {
        try write(value, key, "INSERT INTO \(name) (content, ended, key) VALUES (?, ?, ?)", isEnded)
    }

    /// Replaces the value of a row.
    package func update(_ value: Value, as key: String, isEnded: Bool) throws {
        try write(value, key, "UPDATE \(name) SET content = ?, ended = ? WHERE key = ?", isEnded)
    }

    /// Removes a row, if it is there.
    package func remove(_ key: String) throws {
        let key = try stored(key)
        try database.write { try $0.execute("DELETE FROM \(name) WHERE key = ?", [.bytes(key)]) }
    }

    private func write(_ value: Value, _ key: String, _ statement: String, _ isEnded: Bool) throws {
        let key = try stored(key)
        let content = Data(try sealer.seal(Array(try JSONEncoder().encode(value)), as: sealedName(key)))
        try database.write { try $0.execute(statement, [.bytes(content), .integer(isEnded ? 1 : 0), .bytes(key)]) }
    }

    private func open(_ content: Data, _ key: Data) throws -> Value {
        do {
            let plaintext = try sealer.open(Array(content), as: sealedName(key))
            return try JSONDecoder().decode(Value.self, from: Data(plaintext))
        } catch let failure as Failure {
            // The vault was locked meanwhile: that says nothing about the row.
            throw failure
        } catch {
            throw StoreError.damaged("a \(name)'s row was changed")
        }
    }

    private func stored(_ key: String) throws -> Data {
        Data(try sealer.authenticate(Array(key.utf8), for: name))
    }

    private func sealedName(_ key: Data) -> String { "\(name) " + hexadecimal(Array(key)) }
}

extension StateDatabase {
    /// How many rows of a table are marked as ended. Nothing else about rows can be read without the PIN, but how many there are.
    package func endedRows(of table: String) throws -> Int {
        try read { try $0.count("SELECT count(*) FROM \(table) WHERE ended") } ?? 0
    }

    /// How many rows of a table are not marked as ended.
    package func livingRows(of table: String) throws -> Int {
        try read { try $0.count("SELECT count(*) FROM \(table) WHERE NOT ended") } ?? 0
    }
}
