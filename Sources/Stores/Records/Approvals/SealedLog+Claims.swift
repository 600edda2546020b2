package import Basics
package import FoundationEssentials
import Ledger
package import ApprovalModel
import Keys

/// Claims of instant actions. A claim never waits for an outcome, since no bank can be asked later about it.
extension SealedLog: ClaimLog {
    package func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64 {
        let kind = LogEvent.Kind.claiming(LogEvent.Claiming(action: action, requester: requester))
        let sequence = try chain.append { _, _ in .init(LogEvent(at: at, kind: kind), waits: false) }
        guard let sequence else { throw StoreError.damaged("the log gave no number to a claim") }
        return sequence
    }

    package func recordClaim(
        _ outcome: ClaimOutcome, authorization: BankID?, of claim: Int64, at: Date
    ) throws {
        guard outcome != .unknown else { return }
        let event = LogEvent(at: at, kind: .claimed(outcome: outcome, authorization: authorization))
        _ = try chain.append { _, _ in .init(event, about: claim, waits: false) }
    }

    /// All claims. An event that cannot be read is left out, as in `entries`.
    package func claims() throws -> [ClaimEntry] {
        var claims: [Int64: ClaimEntry] = [:]
        // Only decisions and notes have a key, so these are claims and the events about them.
        try chain.read { reader in
            try reader.forEachWithoutKey { row in
                guard let event = try? row.content() else { return }
                switch event.kind {
                case .claiming(let claiming):
                    claims[row.sequence] = ClaimEntry(
                        at: event.at, action: claiming.action, requester: claiming.requester, outcome: .unknown,
                        authorization: nil, hash: hexadecimal(row.mac))
                case .claimed(let outcome, let authorization):
                    claims[row.subject]?.outcome = outcome
                    claims[row.subject]?.authorization = authorization
                case .sending, .answered, .resolved, .overturned, .lost, .stillOpen, .noted, .accepted: break
                }
            }
        }
        return claims.sorted { $0.key < $1.key }.map(\.value)
    }
}
