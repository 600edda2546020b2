import FoundationEssentials
import Synchronization

/// What the rows of a table held when they were last read. An agent reads them every few seconds, and a row whose sealed bytes
/// are as they were holds what it held.
final class OpenedRows<Value: Sendable>: Sendable {
    private struct Opened {
        let content: Data
        let value: Value
    }

    private let known = Mutex<[Data: Opened]>([:])

    /// The values of all rows that there are: those that are new or changed are opened, those that are gone forgotten.
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
