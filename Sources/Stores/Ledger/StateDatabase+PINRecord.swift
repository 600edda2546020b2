import Basics
import FoundationEssentials
package import Keys

extension StateDatabase: PINRecordStore {
    /// The PIN record; nil when no PIN is set, or there is no database.
    package func record() throws -> PINRecord? {
        let row = try readOnce { db in
            try db.row("SELECT record FROM pin").map { $0.bytes("record") ?? Data() }
        }
        guard let row, let bytes = row else { return nil }
        let before = lastRecord.withLock { $0 }
        // An agent asks before each answer.
        if let before, before.stored == bytes { return before.record }
        guard let record = try? JSONDecoder().decode(PINRecord.self, from: bytes) else {
            throw damaged("the PIN record cannot be read")
        }
        lastRecord.withLock { $0 = (bytes, record) }
        // SQLite's cache would keep pages that the old PIN opened, so it is dropped when the PIN was changed.
        if let before, before.record.deviceSecret != record.deviceSecret { closeConnections() }
        return record
    }

    /// `change` runs under the state lock but outside of any transaction, so it may read the database. The record is
    /// written in one transaction.
    package func update(_ change: (PINRecord?) throws -> PINRecord?) throws {
        try lock.hold {
            let bytes = try change(try record()).map { try JSONEncoder().encode($0) }
            try write { db in
                try db.execute("DELETE FROM pin")
                if let bytes { try db.execute("INSERT INTO pin (id, record) VALUES (1, ?)", [.bytes(bytes)]) }
            }
        }
    }

    /// SQLite overwrites deleted cells (`secure_delete`), so only the journal may still have them.
    package func forgetEarlierRecords() throws {
        try lock.hold {
            guard let queue = try existing() else { return }
            try translatingErrors { try queue.inTurn(Self.emptyJournal) }
        }
    }

    package func hasLog() throws -> Bool {
        try readOnce { db in
            try db.value("SELECT EXISTS (SELECT 1 FROM event) OR EXISTS (SELECT 1 FROM head)") == .integer(1)
        } ?? false
    }

    package func oneAtATime<R>(_ check: () throws -> R) throws -> R { try pinLock.hold(check) }
}
