public import Basics
public import FoundationEssentials
import GRDB
public import SCA

/// The log of decisions: append-only events, each sealed, chained by MACs, with the head of the chain kept twice. That it was
/// begun is sealed with the master key, so an erased log is told from one without events.
///
/// An event stands in the database, with its head, when a call returns; the head's second copy is written after that. A
/// crash in between leaves the second copy one event behind, which the next event mends. A second copy that does not
/// fit in any other way is left as it is, so that no later event hides the break from `verify`.
public struct SealedLog: DecisionLog {
    let database: StateDatabase
    let sealer: any RowSealer & LogHeadStore
    private var calls: RunningCalls { RunningCalls(database.directory) }

    public init(_ database: StateDatabase, sealer: any RowSealer & LogHeadStore) {
        self.database = database
        self.sealer = sealer
    }

    public func recordSending(
        _ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date
    ) throws -> RecordedDecision {
        var call: (any RunningCall)?
        let sequence = try append { db, sequence in
            let (attempt, key) = try nextAttempt(on: shown, db)
            // Before the event can be seen: a reader that sees it without a mark may judge it.
            call = try calls.begin(sequence)
            let sending = LogEvent.Sending(
                attempt: attempt, shown: shown, verdict: decision.verdict, requester: requester,
                signedBytes: Data(decision.signedBytes), signature: decision.signature)
            return try LogRow(
                LogEvent(at: at, kind: .sending(sending)), sequence: sequence, decision: sequence, attempt: key,
                waits: true, sealer: sealer)
        }
        guard let sequence else { throw StoreError(.alreadyDecided, "a decision on this was sent already") }
        return RecordedDecision(decision: decision, sequence: sequence, call: call)
    }

    public func isUnderWay(_ sequence: Int64) throws -> Bool { try calls.contains(sequence) }

    /// `unknown` is no answer, so nothing is written for it; nor for a second answer.
    public func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws {
        try append(LogEvent(at: at, kind: .answered(outcome: answer)), to: decision.sequence)
    }

    /// Nothing is written when the decision is settled already, when this says nothing new, or when a later decision on the
    /// same authorization has taken its place.
    public func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws {
        try append(LogEvent(at: at, kind: .init(resolution)), to: sequence)
    }

    private func append(_ event: LogEvent, to decision: Int64) throws {
        _ = try append { db, sequence in
            var fold = try fold(decision, db)
            if case .answered = event.kind {
            } else if try isSuperseded(fold, db) {
                return nil
            }
            guard fold.apply(event) else { return nil }
            return try LogRow(event, sequence: sequence, decision: decision, waits: fold.waits, sealer: sealer)
        }
    }

    /// Appends the row that `make` returns for the next number, if any, and returns that number.
    ///
    /// The state lock keeps others from writing in between. No transaction is open while the second copy is read or written:
    /// a keyring may take its time, and whoever only reads must not wait for it.
    func append(_ make: (Database, Int64) throws -> LogRow?) throws -> Int64? {
        try database.lock.hold {
            try sealer.demandCurrent()
            let next = try database.write { db in
                let old = try head(db)
                return try make(db, old.count + 1).map { (old: old, row: $0) }
            }
            guard let (old, made) = next else { return nil }
            let second = try secondHead()
            let isBegun = try sealer.isLogBegun()
            let isWhole = try database.write { try fits(second, to: old, isBegun: isBegun, $0) }
            // A copy that is one event behind is mended before it would be two behind; and before the first event it is made:
            // from then on it must be there.
            if isWhole, second != .head(old) { try setSecondHead(old) }
            // After the second copy, which must be there as soon as a log counts as begun. A home of an earlier release, which
            // does not say so yet, says so from here on.
            if !isBegun { try sealer.beginLog() }
            var row = made
            row.mac = try row.mac(after: old.mac, by: sealer)
            let new = LogHead(count: row.sequence, mac: row.mac)
            let sealed = try new.sealed(for: .database, by: sealer)
            try database.write { db in
                try row.insert(db)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO head (id, content) VALUES (1, ?)", arguments: [Data(sealed)])
            }
            if isWhole { try setSecondHead(new) }
            return new.count
        }
    }
}

/// Heads.
extension SealedLog {
    /// The database's copy. Throws `StoreError.damaged` when it was changed, or is missing while there are events.
    func head(_ db: Database) throws -> LogHead {
        guard let sealed = try Data.fetchOne(db, sql: "SELECT content FROM head") else {
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM event") == 0 else {
                throw StoreError(.damaged, "the log's head is missing")
            }
            return .empty
        }
        do {
            return try LogHead(Array(sealed), in: .database, sealer: sealer)
        } catch {
            throw StoreError(.damaged, "the log's head was changed")
        }
    }

    enum SecondHead: Equatable {
        case head(LogHead)
        case changed
    }

    /// The second copy; nil when there is none. Throws what the store throws.
    func secondHead() throws -> SecondHead? {
        guard let sealed = try sealer.logHead() else { return nil }
        return (try? LogHead(sealed, in: .second, sealer: sealer)).map(SecondHead.head) ?? .changed
    }

    private func setSecondHead(_ head: LogHead) throws {
        try sealer.setLogHead(try head.sealed(for: .second, by: sealer))
    }

    /// Whether the second copy is what `head` allows: the same, or one event behind and on the chain; none before the log
    /// was begun.
    func fits(_ second: SecondHead?, to head: LogHead, isBegun: Bool, _ db: Database) throws -> Bool {
        switch second {
        case nil: return head.count == 0 && !isBegun
        case .changed: return false
        case .head(head): return true
        case .head(let behind):
            guard behind.count == head.count - 1 else { return false }
            if behind.count == 0 { return behind == .empty }
            let mac = try Data.fetchOne(db, sql: "SELECT mac FROM event WHERE sequence = ?", arguments: [behind.count])
            return mac.map(Array.init) == behind.mac
        }
    }
}
