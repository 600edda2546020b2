import Basics
import FoundationEssentials
package import Keys

extension SealedChain {
    /// Checks the whole chain, and both copies of its head, under the state lock, so that no event is written
    /// meanwhile.
    package func verify() throws -> LogVerdict {
        guard try database.read({ _ in true }) != nil else {
            let second = try secondHead()
            let mayBeEmpty = try second == .head(.empty) || (second == nil && !sealer.isLogBegun())
            return mayBeEmpty ? .intact(events: 0) : .broken(Self.gone(second))
        }
        return try database.lock.holdForReading {
            do {
                let second = try secondHead()
                let isBegun = try sealer.isLogBegun()
                return try database.read { try check($0, second, isBegun: isBegun) } ?? .intact(events: 0)
            } catch let found as Break {
                return .broken(found.reason)
            } catch StoreError.damaged(let reason, _) {
                return .broken(reason)
            }
        }
    }

    /// Throws `Break`, or `StoreError` `damaged`.
    private func check(_ db: Database, _ second: SecondHead?, isBegun: Bool) throws -> LogVerdict {
        let (end, accepted) = try walk(db)
        let head = try head(db)
        guard end.count >= head.count else { throw Break(Self.missing(end.count + 1, head.count)) }
        guard end == head else { throw Break("event \(min(end.count, head.count + 1)): not under the log's head") }
        guard try fits(second, to: head, isBegun: isBegun, db) else {
            throw Break(head.count == 0 ? Self.gone(second) : Self.describe(second, head))
        }
        return .intact(events: Int(head.count), accepted: accepted)
    }

    /// Follows the chain from its beginning. Returns the head that results from its last event, and the accepted
    /// breaks. Throws the first break that was not accepted.
    private func walk(_ db: Database) throws -> (end: ChainHead, accepted: [AcceptedBreak]) {
        var (head, accepted) = (ChainHead.empty, [AcceptedBreak]())
        var broken: Break?
        try db.forEach(ChainRow.selection("TRUE")) { found in
            guard let row = ChainRow(found) else {
                broken = broken ?? Break("event \(head.count + 1): cannot be read")
                return
            }
            guard let fault = try broken ?? fault(of: row, after: head) else {
                head = ChainHead(count: row.sequence, mac: row.mac)
                return
            }
            if let acceptance = try acceptance(row, db) {
                accepted.append(acceptance)
                (head, broken) = (ChainHead(count: row.sequence, mac: row.mac), nil)
            } else {
                broken = fault
            }
        }
        if let broken { throw broken }
        return (head, accepted)
    }

    /// The fault of the row that comes after `head`; nil if it is the next event of the chain.
    private func fault(of row: ChainRow, after head: ChainHead) throws -> Break? {
        let next = head.count + 1
        guard row.sequence == next else {
            return Break(Self.missing(next, row.sequence.subtractingReportingOverflow(1).partialValue))
        }
        guard try row.mac(after: head.mac, by: sealer) == row.mac else {
            return Break("event \(next): changed, moved, or not of this log")
        }
        guard (try? row.content(Content.self, by: sealer)) != nil else {
            return Break("event \(next): cannot be read")
        }
        return nil
    }

    private static func missing(_ from: Int64, _ to: Int64) -> String {
        from >= to ? "event \(from): missing" : "events \(from) to \(to): missing"
    }

    private static func gone(_ second: SecondHead?) -> String {
        switch second {
        case nil: "event 1: the whole log is gone, with both copies of its end"
        case .changed: "the keyring's copy of the end was changed"
        case .head(let head): "event 1: the whole log is gone; it had \(head.count) events"
        }
    }

    private static func describe(_ second: SecondHead?, _ head: ChainHead) -> String {
        switch second {
        case nil: "the keyring's copy of the end is missing"
        case .changed: "the keyring's copy of the end was changed"
        case .head(let copy) where copy.count > head.count: missing(head.count + 1, copy.count)
        case .head(let copy): "event \(copy.count): the keyring's copy of the end does not lie on the chain"
        }
    }
}

private struct Break: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}
