import FoundationEssentials
import Synchronization

/// Keeps the opened values of a table's rows, since an agent reads them every few seconds. A row is opened again only
/// when its sealed bytes have changed.
final class OpenedRows<Value: Sendable>: Sendable {
    private struct Opened {
        let content: Data
        let value: Value
    }

    private let known = Mutex<[Data: Opened]>([:])

    /// The values of all rows. New and changed rows are opened; the values of rows that are gone are dropped.
    func read(
        _ rows: [(key: Data, content: Data)], open: (_ content: Data, _ key: Data) throws -> Value
    ) throws -> [Value] {
        let before = known.withLock { $0 }
        var now: [Data: Opened] = [:]
        for row in rows {
            if let opened = before[row.key], opened.content == row.content {
                now[row.key] = opened
            } else {
                now[row.key] = Opened(content: row.content, value: try open(row.content, row.key))
            }
        }
        known.withLock { [now] in $0 = now }
        return now.values.map(\.value)
    }
}
