import Basics
import FoundationEssentials
import Ledger
import ApprovalModel
import Keys

/// The sealed content of one event of the log.
struct LogEvent: ChainContent {
    var at: Date
    var kind: Kind

    enum Kind: Codable {
        case sending(Sending)
        case answered(outcome: Outcome)
        case resolved(outcome: Outcome, basis: Basis)
        case overturned
        case lost
        case stillOpen
        case claiming(Claiming)
        case claimed(outcome: ClaimOutcome, authorization: BankID?)
        /// A note that is about no decision. Its content is not known here.
        case noted(Data)
        /// The person accepted a break of the log.
        case accepted(reason: String)
    }

    struct Claiming: Codable {
        var action: ClaimedAction
        var requester: Requester
    }

    struct Sending: Codable {
        /// 1 for the first decision on this authorization.
        var attempt: Int
        var shown: ShownCard
        var verdict: Verdict
        var requester: Requester
        var signedBytes: Data
        var signature: String
    }
}

extension LogEvent {
    var acceptance: AcceptedBreak? {
        if case .accepted(let reason) = kind { AcceptedBreak(at: at, reason: reason) } else { nil }
    }
}

extension LogEvent.Kind {
    init(_ resolution: Resolution) {
        switch resolution {
        case .outcome(let outcome, let basis): self = .resolved(outcome: outcome, basis: basis)
        case .overturned: self = .overturned
        case .lost: self = .lost
        case .stillOpen: self = .stillOpen
        }
    }
}
