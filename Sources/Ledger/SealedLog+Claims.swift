public import Basics
public import FoundationEssentials
import GRDB
public import SCA

/// Claims of instant actions. Nothing of theirs waits: no bank tells later what became of one.
extension SealedLog: ClaimLog {
    public func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64 {
        let kind = LogEvent.Kind.claiming(LogEvent.Claiming(action: action, requester: requester))
        let sequence = try append { _, sequence in
            try LogRow(
                LogEvent(at: at, kind: kind), sequence: sequence, decision: sequence, waits: false, sealer: sealer)
        }
        guard let sequence else { throw StoreError(.damaged, "the log gave no number to a claim") }
        return sequence
    }

    public func recordClaim(
        _ outcome: ClaimOutcome, authorization: BankID?, of claim: Int64, at: Date
    ) throws {
        guard outcome != .unknown else { return }
        let event = LogEvent(at: at, kind: .claimed(outcome: outcome, authorization: authorization))
        _ = try append { _, sequence in
            try LogRow(event, sequence: sequence, decision: claim, waits: false, sealer: sealer)
        }
    }

    /// An event that cannot be read is left out, as with decisions.
    public func claims() throws -> [ClaimEntry] {
        try database.read { db in
            var claims: [Int64: ClaimEntry] = [:]
            // Only a decision has an attempt, so all of these are claims and what was said to them.
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM event
                    WHERE decision IN (SELECT sequence FROM event WHERE decision = sequence AND attempt IS NULL)
                    ORDER BY sequence
                    """)
            while let row = try rows.next().map(LogRow.init) {
                guard let event = try? row.event(by: sealer) else { continue }
                switch event.kind {
                case .claiming(let claiming):
                    claims[row.sequence] = ClaimEntry(
                        at: event.at, action: claiming.action, requester: claiming.requester, outcome: .unknown,
                        authorization: nil, hash: hexadecimal(row.mac))
                case .claimed(let outcome, let authorization):
                    claims[row.decision]?.outcome = outcome
                    claims[row.decision]?.authorization = authorization
                case .sending, .answered, .resolved, .overturned, .lost, .stillOpen: break
                }
            }
            return claims.sorted { $0.key < $1.key }.map(\.value)
        } ?? []
    }
}
