import Basics
import FoundationEssentials
import Keys

/// The events of a chain, within one transaction.
package struct ChainReader<Content: Codable & Sendable> {
    let db: Database
    let sealer: any RowSealer

    /// One event; its content is opened only when it is asked for.
    package struct Event {
        let row: ChainRow
        let sealer: any RowSealer

        /// The number of this event, from 1.
        package var sequence: Int64 { row.sequence }
        /// The number of the event that this event is about; its own number if it begins a subject.
        package var subject: Int64 { row.subject }
        /// The MAC of the chain up to this event, 32 bytes.
        package var mac: [UInt8] { row.mac }

        /// Opens the content. Throws `StoreError` `damaged` when it cannot be read.
        package func content() throws -> Content { try row.content(Content.self, by: sealer) }
    }

    /// All events in their order. Leaves out a row that cannot be read; `verify` reports it.
    package func forEach(_ body: (Event) throws -> Void) throws {
        try forEach("TRUE", [], body)
    }

    /// The events about this one, itself included. Throws `StoreError` `damaged` for a row that cannot be read.
    package func forEach(about subject: Int64, _ body: (Event) throws -> Void) throws {
        try forEach("decision = ?", [.integer(subject)], body) {
            throw StoreError.damaged("an event of decision \(subject) in the log cannot be read")
        }
    }

    /// The events that began something without a key, and the events about them. Leaves out as `forEach`.
    package func forEachWithoutKey(_ body: (Event) throws -> Void) throws {
        try forEach(
            "decision IN (SELECT sequence FROM event WHERE decision = sequence AND attempt IS NULL)", [], body)
    }

    /// The number of the event that has this key.
    package func sequence(of key: [UInt8]) throws -> Int64? {
        try db.value("SELECT sequence FROM event WHERE attempt = ?", [.bytes(key)]).integer
    }

    /// The numbers of the events that still wait for another event about them, according to the last one about each.
    package func waiting() throws -> [Int64] {
        // In a group, SQLite takes a bare column from the row that has the maximum.
        try db.rows(
            """
            SELECT decision FROM (SELECT decision, waits, max(sequence) FROM event GROUP BY decision)
            WHERE waits ORDER BY decision
            """
        ).compactMap { $0.integer("decision") }
    }

    private func forEach(
        _ condition: String, _ arguments: [StoredValue], _ body: (Event) throws -> Void,
        atBadRow: () throws -> Void = {}
    ) throws {
        try db.forEach(ChainRow.selection(condition), arguments) { row in
            if let row = ChainRow(row) { try body(Event(row: row, sealer: sealer)) } else { try atBadRow() }
        }
    }
}
