import FoundationEssentials
import Synchronization

/// Keeps the opened values of a table's rows, since an agent reads them every few seconds. A row is opened again only
/// when its sealed bytes have changed.
final class OpenedRows<Value: Sendable>: Sendable {
    typealias Sealed = (key: Data, content: Data)

    private struct Known: Sendable {
        var rows: [Sealed] = []
        /// In the same order.
        var values: [Value] = []

        func index(of key: Data) -> Int? { rows.firstIndex { $0.key == key } }
    }

    private let known = Mutex(Known())

    /// The value of one row, which is opened if it is new or changed. The others stay.
    func one(_ row: Sealed, open: (_ content: Data, _ key: Data) throws -> Value) throws -> Value {
        let known = known.withLock { $0 }
        if let index = known.index(of: row.key), known.rows[index].content == row.content { return known.values[index] }
        let value = try open(row.content, row.key)
        keep(value, of: row)
        return value
    }

    /// Keeps the value of a row, which then need not be opened.
    func keep(_ value: Value, of row: Sealed) {
        known.withLock { known in
            if let index = known.index(of: row.key) {
                (known.rows[index], known.values[index]) = (row, value)
            } else {
                known.rows.append(row)
                known.values.append(value)
            }
        }
    }

    /// Forgets a row that is gone, or about to go.
    func forget(_ key: Data) {
        known.withLock { known in
            guard let index = known.index(of: key) else { return }
            known.rows.remove(at: index)
            known.values.remove(at: index)
        }
    }

    /// The values of all rows, in their order. New and changed rows are opened; the values of rows that are gone are dropped.
    func read(_ rows: [Sealed], open: (_ content: Data, _ key: Data) throws -> Value) throws -> [Value] {
        let before = known.withLock { $0 }
        if before.rows.elementsEqual(rows, by: ==) { return before.values }
        let places = Dictionary(zip(before.rows.map(\.key), before.rows.indices)) { first, _ in first }
        let values = try rows.map { row in
            if let place = places[row.key], before.rows[place].content == row.content { return before.values[place] }
            return try open(row.content, row.key)
        }
        known.withLock { $0 = Known(rows: rows, values: values) }
        return values
    }
}
