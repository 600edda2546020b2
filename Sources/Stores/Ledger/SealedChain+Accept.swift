import Basics
package import Keys

/// The content of an event, which may be the acceptance of a break.
package protocol ChainContent: Codable, Sendable {
    /// The break that this event accepts; nil for every other event.
    var acceptance: AcceptedBreak? { get }
}

/// Closing the alarm of a broken chain.
///
/// The event of an acceptance is chained to all rows before it as they lie there, damaged ones included. So the chain
/// goes on from it, and a later change of any of these rows is found.
extension SealedChain {
    /// Appends the event that `make` returns for the reason of the break, and begins a new head, in both places, with
    /// it. Returns nil, and changes nothing, if the chain is not broken.
    package func accept(_ make: (_ reason: String) -> Content) throws -> AcceptedBreak? {
        try database.lock.hold {
            try sealer.demandCurrent()
            guard case .broken(let reason) = try verify() else { return nil }
            let second = try secondHead()
            let content = make(reason)
            let found = try database.write { db in
                let counts = [
                    try db.value("SELECT max(sequence) FROM event").integer, try? head(db).count, second?.head?.count,
                ]
                // No number of an event that was lost is used again.
                let last = counts.compactMap(\.self).max() ?? 0
                guard last < ChainHead.mostEvents else {
                    throw StoreError.damaged("the log has an event of an impossible number, \(last)")
                }
                let next = max(0, last) + 1
                var row = try ChainRow(
                    content, sequence: next, subject: next, key: nil, waits: false, sealer: sealer)
                row.mac = try row.mac(after: digest(of: db, before: next), by: sealer)
                return row
            }
            let new = ChainHead(count: found.sequence, mac: found.mac)
            let sealed = try new.sealed(for: .database, by: sealer)
            if try !sealer.isLogBegun() { try sealer.beginLog() }
            try database.write { db in
                try found.insert(db)
                try replaceHead(sealed, db)
            }
            try setSecondHead(new)
            return content.acceptance
        }
    }

    /// The acceptance that this row is, if its MAC follows from all rows before it as they lie there.
    func acceptance(_ row: ChainRow, _ db: Database) throws -> AcceptedBreak? {
        guard let accepted = try? row.content(Content.self, by: sealer).acceptance,
            try row.mac(after: digest(of: db, before: row.sequence), by: sealer) == row.mac
        else { return nil }
        return accepted
    }

    /// 32 bytes that depend on every value of every row before this number.
    private func digest(of db: Database, before sequence: Int64) throws -> [UInt8] {
        var digest = ChainHead.empty.mac
        try db.forEach(ChainRow.selection("sequence < ?"), [.integer(sequence)]) { row in
            digest = try sealer.authenticate(digest + row.values.flatMap(\.described), for: "log as it lies")
        }
        return digest
    }
}

extension StoredValue {
    /// The value with its type and length, so that two different rows never give the same bytes.
    fileprivate var described: [UInt8] {
        let (type, content): (UInt8, [UInt8]) =
            switch self {
            case .null: (0, [])
            case .integer(let number): (1, bigEndian(number))
            case .real(let number): (2, bigEndian(Int64(bitPattern: number.bitPattern)))
            case .text(let text): (3, Array(text.utf8))
            case .bytes(let data): (4, Array(data))
            }
        return [type] + bigEndian(Int64(content.count)) + content
    }
}
