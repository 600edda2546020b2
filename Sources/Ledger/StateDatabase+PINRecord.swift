import FoundationEssentials
import GRDB
public import SCA

extension StateDatabase: PINRecordStore {
    /// What the disk says about the PIN; nil when none is set, or nothing is there at all.
    public func record() throws -> PINRecord? {
        guard let found = try read({ try Data.fetchOne($0, sql: "SELECT record FROM pin") }), let bytes = found else {
            return nil
        }
        guard let record = try? JSONDecoder().decode(PINRecord.self, from: bytes) else {
            throw StoreError(.damaged, "the PIN record cannot be read")
        }
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

    public func oneAtATime<R>(_ check: () throws -> R) throws -> R { try pinLock.hold(check) }
}
