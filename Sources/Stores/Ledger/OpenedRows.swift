import Basics
import FoundationEssentials
import Keys
import Synchronization

/// Keeps the opened values of a table's rows, since an agent reads them every few seconds. A row is read again only when the
/// database has changed, and opened again only when its sealed bytes have.
final class OpenedRows<Value: Sendable>: Sendable {
    typealias Sealed = (key: Data, content: Data)

    private struct Row: Sendable {
        var sealed: Sealed
        var value: Value
        /// The database when the row had these bytes; nil while it is not known whether the row was written.
        var stamp: ContentStamp?
    }

    private struct Known: Sendable {
        var rows: [Row] = []
        /// How many rows of the table cannot be read.
        var damaged = 0
        /// The database when these were exactly the table's rows; nil when they may not be.
        var stamp: ContentStamp?

        var judged: JudgedRows<Value> { JudgedRows(values: rows.map(\.value), damaged: damaged) }

        func index(of key: Data) -> Int? { rows.firstIndex { $0.sealed.key == key } }
    }

    private let known = Mutex(Known())

    /// The value of one row, opened if it is new or changed; nil when there is none.
    func one(
        _ key: Data, in database: StateDatabase, fetch: (Database) throws -> Data?,
        open: (_ content: Data, _ key: Data) throws -> Value
    ) throws -> Value? {
        let row = known.withLock { known in known.index(of: key).map { known.rows[$0] } }
        guard let (stamp, changed) = try database.readOnce(unless: row?.stamp, fetch) else {
            forget(key)
            return nil
        }
        guard let changed else { return row?.value }
        guard let content = changed else {
            forget(key)
            return nil
        }
        let value = if let row, row.sealed.content == content { row.value } else { try open(content, key) }
        keep(Row(sealed: (key, content), value: value, stamp: stamp))
        return value
    }

    /// Keeps the value of a row that is about to be written.
    func keep(_ value: Value, of row: Sealed) { keep(Row(sealed: row, value: value)) }

    private func keep(_ row: Row) {
        known.withLock { known in
            if let index = known.index(of: row.sealed.key) {
                if known.rows[index].sealed.content != row.sealed.content { known.stamp = nil }
                known.rows[index] = row
            } else {
                known.rows.append(row)
                known.stamp = nil
            }
        }
    }

    /// Forgets a row that is gone, or about to go.
    func forget(_ key: Data) {
        known.withLock { known in
            guard let index = known.index(of: key) else { return }
            known.rows.remove(at: index)
            known.stamp = nil
        }
    }

    /// The values of all rows, in their order, without those that cannot be read. New and changed rows are opened; the values of
    /// rows that are gone are dropped.
    func all(
        in database: StateDatabase, fetch: (Database) throws -> [Sealed?],
        open: (_ content: Data, _ key: Data) throws -> Value
    ) throws -> JudgedRows<Value> {
        let before = known.withLock { $0 }
        guard let (stamp, changed) = try database.readOnce(unless: before.stamp, fetch) else {
            known.withLock { $0 = Known() }
            return JudgedRows()
        }
        guard let changed else { return before.judged }
        let places = Dictionary(zip(before.rows.map(\.sealed.key), before.rows.indices)) { first, _ in first }
        let rows = try changed.compactMap { sealed -> Row? in
            guard let sealed else { return nil }
            if let place = places[sealed.key], before.rows[place].sealed.content == sealed.content {
                return Row(sealed: sealed, value: before.rows[place].value, stamp: stamp)
            }
            return try unlessDamaged { try open(sealed.content, sealed.key) }
                .map { Row(sealed: sealed, value: $0, stamp: stamp) }
        }
        let now = Known(rows: rows, damaged: changed.count - rows.count, stamp: stamp)
        known.withLock { $0 = now }
        return now.judged
    }
}

/// The values of a table's rows, and how many rows cannot be read.
struct JudgedRows<Value> {
    var values: [Value] = []
    var damaged = 0
}

/// Nil if `body` throws `StoreError` `damaged`.
func unlessDamaged<R>(_ body: () throws -> R) throws -> R? {
    do { return try body() } catch StoreError.damaged { return nil }
}

/// The sealed rows of a statement that selects `key` and `content`; nil for each without these.
func sealedRows(_ db: Database, _ sql: String) throws -> [(key: Data, content: Data)?] {
    try db.rows(sql).map { row in
        guard let key = row.bytes("key"), let content = row.bytes("content") else { return nil }
        return (key, content)
    }
}
