import Basics
import FoundationEssentials
import Ledger
package import ApprovalModel
import Keys

/// Decisions, each put together from its events.
extension SealedLog {
    /// All decisions. An event that cannot be read is left out, so that it does not hide the others; `verify` reports
    /// it.
    package func entries() throws -> [DecisionEntry] {
        var folds: [Int64: DecisionFold] = [:]
        try chain.read { reader in
            try reader.forEach { row in
                guard let event = try? row.content() else { return }
                if case .sending(let sending) = event.kind {
                    folds[row.sequence] = DecisionFold(sending, at: event.at, sequence: row.sequence, mac: row.mac)
                } else {
                    _ = folds[row.subject]?.apply(event)
                }
            }
        }
        return folds.values.map(\.entry).sorted { $0.sequence < $1.sequence }
    }

    package func unresolved(of connection: ConnectionGUID) throws -> [DecisionEntry] {
        try unresolved().filter { $0.shown.connection == connection }
    }

    package func unresolvedConnections() throws -> Set<ConnectionGUID> {
        Set(try unresolved().map(\.shown.connection))
    }

    /// The decisions without a known outcome, including those whose authorization the bank still lists, until a new
    /// decision on it is made or the bank no longer lists it.
    private func unresolved() throws -> [DecisionEntry] {
        try chain.read { reader in
            try reader.waiting().compactMap { sequence in
                guard let fold = try? fold(sequence, reader), fold.waits, try !isSuperseded(fold, reader) else {
                    return nil
                }
                return fold.entry
            }
        } ?? []
    }

    /// Puts a decision together. Throws `StoreError` `notFound` when there is no such decision, `damaged` when it
    /// cannot be read.
    func fold(_ decision: Int64, _ reader: ChainReader<LogEvent>) throws -> DecisionFold {
        var fold: DecisionFold?
        try reader.forEach(about: decision) { row in
            let event = try row.content()
            if case .sending(let sending) = event.kind {
                fold = DecisionFold(sending, at: event.at, sequence: row.sequence, mac: row.mac)
            } else {
                _ = fold?.apply(event)
            }
        }
        guard let fold else { throw StoreError.notFound("there is no decision \(decision) in the log") }
        return fold
    }

    package func isAnswered(_ authorization: Authorization) throws -> Bool {
        try chain.read { reader in
            var (attempt, last): (Int, Int64?) = (1, nil)
            while let found = try reader.sequence(
                of: attemptKey(authorization.connection, authorization.id, authorization.code, attempt))
            {
                (attempt, last) = (attempt + 1, found)
            }
            guard let last, let fold = try? fold(last, reader) else { return false }
            return fold.isTaken(on: authorization)
        } ?? false
    }

    /// The number and the key of the next decision on an authorization. Throws `StoreError` `alreadyDecided` when the
    /// bank may have accepted an earlier one.
    func nextAttempt(on shown: ShownCard, _ reader: ChainReader<LogEvent>) throws -> (attempt: Int, key: [UInt8]) {
        var attempt = 1
        var last: Int64?
        while true {
            let key = try attemptKey(shown, attempt)
            guard let found = try reader.sequence(of: key) else {
                if let last, try !fold(last, reader).mayBeDecidedAgain(on: shown) {
                    throw StoreError.alreadyDecided
                }
                return (attempt, key)
            }
            last = found
            attempt += 1
        }
    }

    func isSuperseded(_ fold: DecisionFold, _ reader: ChainReader<LogEvent>) throws -> Bool {
        try reader.sequence(of: attemptKey(fold.entry.shown, fold.attempt + 1)) != nil
    }

    /// A MAC over connection, id, code and the attempt's number, each text preceded by its length. A missing code
    /// differs from an empty one.
    private func attemptKey(_ shown: ShownCard, _ attempt: Int) throws -> [UInt8] {
        try attemptKey(shown.connection, shown.id, shown.code, attempt)
    }

    private func attemptKey(
        _ connection: ConnectionGUID, _ id: BankID, _ code: BankText?, _ attempt: Int
    ) throws -> [UInt8] {
        var message: [UInt8] = []
        for text in [connection.text, id.text, code?.untrusted] {
            message += bigEndian(text.map { Int64($0.utf8.count) } ?? -1) + Array((text ?? "").utf8)
        }
        return try sealer.authenticate(message + bigEndian(Int64(attempt)), for: "decided once")
    }
}
