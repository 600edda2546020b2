package import Basics
import FoundationEssentials
import GRDB

extension SealedChain {
    /// Checks the whole chain, and both copies of its head, under the state lock, so that no event is written
    /// meanwhile.
    package func verify() throws -> LogVerdict {
        guard try database.read({ _ in true }) != nil else {
            let second = try secondHead()
            let mayBeEmpty = try second == .head(.empty) || (second == nil && !sealer.isLogBegun())
            return mayBeEmpty ? .intact(events: 0) : .broken(Self.gone(second))
        }
        return try database.lock.hold {
            do {
                let second = try secondHead()
                let isBegun = try sealer.isLogBegun()
                return .intact(events: Int(try database.read { try check($0, second, isBegun: isBegun) } ?? 0))
            } catch let found as Break {
                return .broken(found.reason)
            } catch let error as StoreError where error.code == .damaged {
                return .broken(error.reason)
            }
        }
    }

    /// Returns the number of events. Throws `Break`, or `StoreError` `damaged`.
    private func check(_ db: Database, _ second: SecondHead?, isBegun: Bool) throws -> Int64 {
        let end = try walk(db)
        let head = try head(db)
        guard end.count >= head.count else { throw Break(Self.missing(end.count + 1, head.count)) }
        guard end == head else { throw Break("event \(min(end.count, head.count + 1)): not under the log's head") }
        guard try fits(second, to: head, isBegun: isBegun, db) else {
            throw Break(head.count == 0 ? Self.gone(second) : Self.describe(second, head))
        }
        return head.count
    }

    /// Follows the chain from its beginning; returns the head that results from its last event.
    private func walk(_ db: Database) throws -> ChainHead {
        var head = ChainHead.empty
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM event ORDER BY sequence")
        while let row = try rows.next().map(ChainRow.init) {
            let next = head.count + 1
            guard row.sequence == next else { throw Break(Self.missing(next, row.sequence - 1)) }
            guard try row.mac(after: head.mac, by: sealer) == row.mac else {
                throw Break("event \(next): changed, moved, or not of this log")
            }
            guard (try? row.content(Content.self, by: sealer)) != nil else {
                throw Break("event \(next): cannot be read")
            }
            head = ChainHead(count: next, mac: row.mac)
        }
        return head
    }

    private static func missing(_ from: Int64, _ to: Int64) -> String {
        from >= to ? "event \(from): missing" : "events \(from) to \(to): missing"
    }

    private static func gone(_ second: SecondHead?) -> String {
        switch second {
        case nil: "event 1: the whole log is gone, with both copies of its head"
        case .changed: "the head's second copy was changed"
        case .head(let head): "event 1: the whole log is gone; it had \(head.count) events"
        }
    }

    private static func describe(_ second: SecondHead?, _ head: ChainHead) -> String {
        switch second {
        case nil: "the head's second copy is missing"
        case .changed: "the head's second copy was changed"
        case .head(let copy) where copy.count > head.count: missing(head.count + 1, copy.count)
        case .head(let copy): "event \(copy.count): the head's second copy does not lie on the chain"
        }
    }
}

private struct Break: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}
