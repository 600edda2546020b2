import Basics
import FoundationEssentials
package import Keys

/// A log: append-only events, each sealed, chained by MACs. The head of the chain (`ChainHead`) is kept twice: in the
/// database and in a `LogHeadStore`. That a log was begun is sealed with the master key, so an erased log differs from
/// one without events.
///
/// When a call returns, the event is in the database, together with the new head. The second copy of the head is
/// written after that. A crash in between leaves the second copy one event behind, and the next event corrects it. A
/// second copy that is wrong in any other way is left as it is, so that no later event hides the break from `verify`.
package struct SealedChain<Content: ChainContent>: Sendable {
    let database: StateDatabase
    let sealer: any RowSealer & LogHeadStore

    package init(_ database: StateDatabase, sealer: any RowSealer & LogHeadStore) {
        self.database = database
        self.sealer = sealer
    }

    /// An event to append.
    package struct Draft {
        let content: Content
        let subject: Int64?
        let key: [UInt8]?
        let waits: Bool

        /// - Parameters:
        ///   - subject: The number of the event that this event is about; nil if it begins a subject.
        ///   - key: 32 bytes that no other event may have, where the event is unique.
        ///   - waits: Whether something about the subject is still to come after this event.
        package init(_ content: Content, about subject: Int64? = nil, key: [UInt8]? = nil, waits: Bool) {
            self.content = content
            self.subject = subject
            self.key = key
            self.waits = waits
        }
    }

    /// Runs `body` in one transaction; nil when there is no database.
    package func read<R>(_ body: (ChainReader<Content>) throws -> R) throws -> R? {
        try database.read { try body(ChainReader(db: $0, sealer: sealer)) }
    }

    /// Gives `make` the next number, appends the event that it returns, if any, and returns that number.
    ///
    /// The state lock keeps others from writing in between. No transaction is open while the second copy of the head is
    /// read or written: a keyring may be slow, and other processes must be able to read meanwhile.
    package func append(_ make: (ChainReader<Content>, Int64) throws -> Draft?) throws -> Int64? {
        try database.lock.hold {
            try sealer.demandCurrent()
            let next = try database.write { db in
                let old = try head(db)
                guard old.count < ChainHead.mostEvents else {
                    throw StoreError.damaged("the log's end has an impossible number, \(old.count)")
                }
                let sequence = old.count + 1
                return try make(ChainReader(db: db, sealer: sealer), sequence).map { draft in
                    let row = try ChainRow(
                        draft.content, sequence: sequence, subject: draft.subject ?? sequence, key: draft.key,
                        waits: draft.waits, sealer: sealer)
                    return (old: old, row: row)
                }
            }
            guard let (old, made) = next else { return nil }
            let second = try secondHead()
            let isBegun = try sealer.isLogBegun()
            let isWhole = try database.write { try fits(second, to: old, isBegun: isBegun, $0) }
            // A copy that is one event behind is corrected before it would be two behind. Before the first event it is
            // created, since it must exist from then on.
            if isWhole, second != .head(old) { try setSecondHead(old) }
            // After the second copy, which must exist as soon as a log counts as begun. A home of an earlier release
            // does not say yet that its log was begun, and does so from here on.
            if !isBegun { try sealer.beginLog() }
            var row = made
            row.mac = try row.mac(after: old.mac, by: sealer)
            let new = ChainHead(count: row.sequence, mac: row.mac)
            let sealed = try new.sealed(for: .database, by: sealer)
            try database.write { db in
                try row.insert(db)
                try replaceHead(sealed, db)
            }
            if isWhole { try setSecondHead(new) }
            return new.count
        }
    }
}

/// The two copies of the head.
extension SealedChain {
    /// The copy in the database. Throws `StoreError` `damaged` when it was changed, or is missing while there are
    /// events.
    func head(_ db: Database) throws -> ChainHead {
        guard let row = try db.row("SELECT content FROM head") else {
            guard try db.count("SELECT count(*) FROM event") == 0 else {
                throw StoreError.damaged("the log's head is missing")
            }
            return .empty
        }
        do {
            return try ChainHead(Array(row.bytes("content") ?? Data()), in: .database, sealer: sealer)
        } catch {
            throw StoreError.damaged("the log's head was changed")
        }
    }

    /// The second copy; nil when there is none. Throws the errors of the `LogHeadStore`.
    func secondHead() throws -> SecondHead? {
        guard let sealed = try sealer.logHead() else { return nil }
        return (try? ChainHead(sealed, in: .second, sealer: sealer)).map(SecondHead.head) ?? .changed
    }

    /// Writes the copy in the database.
    func replaceHead(_ sealed: [UInt8], _ db: Database) throws {
        try db.execute("INSERT OR REPLACE INTO head (id, content) VALUES (1, ?)", [.bytes(sealed)])
    }

    func setSecondHead(_ head: ChainHead) throws {
        try sealer.setLogHead(try head.sealed(for: .second, by: sealer))
    }

    /// Whether the second copy fits to `head`: it is the same, or is one event behind and part of the chain. Before the
    /// log was begun there must be none.
    func fits(_ second: SecondHead?, to head: ChainHead, isBegun: Bool, _ db: Database) throws -> Bool {
        switch second {
        case nil: return head.count == 0 && !isBegun
        case .changed: return false
        case .head(head): return true
        case .head(let behind):
            guard behind.count == head.count - 1 else { return false }
            if behind.count == 0 { return behind == .empty }
            let mac = try db.value("SELECT mac FROM event WHERE sequence = ?", [.integer(behind.count)])
            return mac == .bytes(behind.mac)
        }
    }
}

/// The second copy of the head.
enum SecondHead: Equatable {
    case head(ChainHead)
    case changed

    var head: ChainHead? { if case .head(let head) = self { head } else { nil } }
}
