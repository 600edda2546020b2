public import Basics
import FoundationEssentials
import GRDB

extension StateDatabase: PINRecordStore {
    /// What the disk says about the PIN; nil when none is set, or nothing is there at all.
    public func record() throws -> PINRecord? {
        guard let found = try read({ try Data.fetchOne($0, sql: "SELECT record FROM pin") }), let bytes = found else {
            return nil
        }
        guard let record = try? JSONDecoder().decode(PINRecord.self, from: bytes) else {
            throw StoreError(.damaged, "the PIN record cannot be read")
        }
        // SQLite's cache keeps pages as they were, with what the old PIN opened.
        let before = lastDeviceSecret.withLock { last in
            defer { last = record.deviceSecret }
            return last
        }
        if let before, before != record.deviceSecret { closeConnections() }
        return record
    }

    /// `change` runs under the state lock, outside of any transaction, so it may read here; the change is one transaction.
    public func update(_ change: (PINRecord?) throws -> PINRecord?) throws {
        try lock.hold {
            let bytes = try change(try record()).map { try JSONEncoder().encode($0) }
            try write { db in
                try db.execute(sql: "DELETE FROM pin")
                if let bytes { try db.execute(sql: "INSERT INTO pin (id, record) VALUES (1, ?)", arguments: [bytes]) }
            }
        }
    }

    /// Deleted cells are overwritten (`secure_delete`); what is left of them is in the journal.
    public func forgetEarlierRecords() throws {
        try lock.hold {
            guard let queue = try existing() else { return }
            try translatingErrors { try queue.writeWithoutTransaction(Self.emptyJournal) }
        }
    }

    public func oneAtATime<R>(_ check: () throws -> R) throws -> R { try pinLock.hold(check) }
}
