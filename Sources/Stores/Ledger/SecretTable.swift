import Basics
import FoundationEssentials
package import Keys

/// A table of sealed rows whose values may hold secrets (`SecretSlot`). Each row is one value: its JSON, with the secrets beside it.
/// In place of the row's key the database has a MAC of it, which does not reveal the key. Changes are prepared, so that changes of
/// several tables go into one transaction (`StateDatabase.apply`).
package struct SecretTable<Value: Codable & Sendable>: Sendable {
    private let name: String
    private let database: StateDatabase
    private let sealer: any SecretSealer
    private let opened: OpenedRows<Value>?

    /// `name` is a table that `Schema` makes. `keepsOpened`: keeps the opened values, secrets too, in memory as long as this table
    /// lives, and opens only rows that changed.
    package init(_ name: String, in database: StateDatabase, sealer: any SecretSealer, keepsOpened: Bool = false) {
        self.name = name
        self.database = database
        self.sealer = sealer
        opened = keepsOpened ? OpenedRows() : nil
    }

    /// All values, in the order in which their rows were added, without those of rows that were changed from outside.
    package func values() throws -> [Value] { try judged().values }

    /// How many rows were changed from outside, and cannot be read.
    package func damagedRows() throws -> Int { try judged().damaged }

    private func judged() throws -> JudgedRows<Value> {
        func rows(_ db: Database) throws -> [(key: Data, content: Data)?] {
            try sealedRows(db, "SELECT key, content FROM \(name) ORDER BY rowid")
        }
        if let opened { return try opened.all(in: database, fetch: rows, open: open) }
        let found = try database.readOnce(rows) ?? []
        let values = try found.compactMap { row in
            try row.flatMap { row in try unlessDamaged { try open(row.content, row.key) } }
        }
        return JudgedRows(values: values, damaged: found.count - values.count)
    }

    /// The value of one row; nil when there is none. Throws `StoreError` `damaged` when it was changed from outside.
    package func value(_ key: String) throws -> Value? {
        let key = try stored(key)
        func content(_ db: Database) throws -> Data? {
            try db.row("SELECT content FROM \(name) WHERE key = ?", [.bytes(key)])
                .map { $0.bytes("content") ?? Data() }
        }
        if let opened { return try opened.one(key, in: database, fetch: content, open: open) }
        return try database.readOnce(content).flatMap(\.self).map { try open($0, key) }
    }

    /// Adds a row.
    package func adding(_ value: Value, as key: String) throws -> TableChange {
        let key = try stored(key)
        return TableChange(
            sql: "INSERT INTO \(name) (content, key) VALUES (?, ?)", arguments: [try written(value, key), key],
            mustExist: false)
    }

    /// Replaces the value of a row, which must be there.
    package func replacing(_ value: Value, as key: String) throws -> TableChange {
        let key = try stored(key)
        return TableChange(
            sql: "UPDATE \(name) SET content = ? WHERE key = ?", arguments: [try written(value, key), key],
            mustExist: true)
    }

    /// Removes a row, if it is there.
    package func removing(_ key: String) throws -> TableChange {
        let key = try stored(key)
        opened?.forget(key)
        return TableChange(sql: "DELETE FROM \(name) WHERE key = ?", arguments: [key], mustExist: false)
    }

    /// Seals a value like a row, to be kept outside the database. The returned id does not reveal the key.
    package func sealed(_ value: Value, as key: String) throws -> (id: String, content: [UInt8]) {
        let key = try stored(key)
        return (hexadecimal(Array(key)), Array(try seal(value, key)))
    }

    /// The id that `sealed` returns for this key.
    package func sealedID(_ key: String) throws -> String { hexadecimal(Array(try stored(key))) }

    /// Opens the content that `sealed` returned. Throws as `value`.
    package func opened(_ content: [UInt8], as key: String) throws -> Value { try open(Data(content), try stored(key)) }

    /// The content of a row that is to be written. Keeps the new value as opened, in place of the earlier one. If the row is not
    /// written after all, it is opened again.
    private func written(_ value: Value, _ key: Data) throws -> Data {
        let content = try seal(value, key)
        opened?.keep(value, of: (key, content))
        return content
    }

    private func seal(_ value: Value, _ key: Data) throws -> Data {
        let encoder = JSONEncoder()
        let shelf = SecretShelf()
        encoder.userInfo[SecretShelf.key] = shelf
        let plaintext = Array(try encoder.encode(value))
        return Data(try sealer.seal(plaintext, beside: shelf.secrets, as: sealedName(key)))
    }

    private func open(_ content: Data, _ key: Data) throws -> Value {
        do {
            let (plaintext, secrets) = try sealer.open(Array(content), as: sealedName(key))
            let decoder = JSONDecoder()
            decoder.userInfo[SecretShelf.key] = SecretShelf(secrets)
            return try decoder.decode(Value.self, from: Data(plaintext))
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

/// A change of one row, sealed and ready to be written.
package struct TableChange: Sendable {
    fileprivate let sql: String
    fileprivate let arguments: [Data]
    fileprivate let mustExist: Bool
}

extension StateDatabase {
    /// How many rows a table of sealed rows has, which needs no key. Zero without a database.
    package func rows(of table: String) throws -> Int {
        try readOnce { db in try db.count("SELECT count(*) FROM \(table)") } ?? 0
    }

    /// Makes these changes in one transaction under the state lock; they are on disk when this returns. Throws `PINError` `notSet` when
    /// the vault was destroyed meanwhile, and `StoreError` `notFound` when a row to be replaced is gone.
    package func apply(_ changes: [TableChange], sealedBy sealer: any SecretSealer) throws {
        try lock.hold {
            try sealer.demandCurrent()
            try write { db in
                for change in changes {
                    try db.execute(change.sql, change.arguments.map { .bytes($0) })
                    guard !change.mustExist || db.changesCount > 0 else {
                        throw StoreError.notFound("this is gone meanwhile")
                    }
                }
            }
        }
    }
}
