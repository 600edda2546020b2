import FoundationEssentials
import Ledger
import ApprovalModel

/// One decision, as its events together describe it. An answer of the bank is final; it replaces an outcome that was
/// inferred or given up.
struct DecisionFold {
    private(set) var entry: DecisionEntry
    let attempt: Int
    private var state = State.waiting

    private enum State { case waiting, stillOpen, lost, inferred, answered }

    /// Begins with the "sending" event of a decision.
    init(_ sending: LogEvent.Sending, at: Date, sequence: Int64, mac: [UInt8]) {
        attempt = sending.attempt
        entry = DecisionEntry(
            sequence: sequence, at: at, shown: sending.shown, verdict: sending.verdict, requester: sending.requester,
            signedBytes: Array(sending.signedBytes), signature: sending.signature, outcome: .unknown, basis: nil,
            outcomeAt: nil, isFinal: false, hash: hexadecimal(mac))
    }

    /// Whether a later poll has to find out the outcome.
    var waits: Bool { state == .waiting || state == .stillOpen }

    /// Whether the person may decide again on the item that the bank lists now. This is so when the bank refused the
    /// decision or never got it, when it still lists the authorization, or when it lists it again with the same content
    /// after it seemed to be gone.
    func mayBeDecidedAgain(on shown: ShownCard) -> Bool {
        switch state {
        case .stillOpen: true
        case .lost, .inferred: shown.fingerprint == entry.shown.fingerprint
        case .waiting: false
        case .answered: entry.outcome == .refused || entry.outcome == .unsent
        }
    }

    /// Whether the bank said that it took this decision, which was on this content.
    func isTaken(on authorization: Authorization) -> Bool {
        state == .answered && !entry.isOverturned && entry.basis == .answered
            && authorization.fingerprint == entry.shown.fingerprint
            && (entry.outcome == .confirmed || entry.outcome == .denied)
    }

    /// Adds one more event. Returns false, and changes nothing, when the event says nothing new or comes too late to
    /// count.
    mutating func apply(_ event: LogEvent) -> Bool {
        switch event.kind {
        case .sending, .claiming, .claimed, .noted, .accepted:
            return false
        case .answered(let outcome):
            guard state != .answered, outcome != .unknown else { return false }
            settle(outcome, at: event.at)
        case .resolved(_, .inferred):
            guard waits else { return false }
            // Earlier releases wrote an outcome that they had only inferred as if it were certain.
            state = .inferred
            entry.outcome = .unknown
            (entry.basis, entry.outcomeAt, entry.isFinal) = (.inferred, event.at, true)
        case .resolved(let outcome, .answered):
            guard waits, (outcome, .answered) != (entry.outcome, entry.basis) else { return false }
            settle(outcome, at: event.at)
        case .overturned:
            guard entry.verdict == .deny, !entry.isOverturned else { return false }
            (entry.isOverturned, entry.isFinal, state) = (true, true, .answered)
            (entry.outcome, entry.basis, entry.outcomeAt) = (.refused, .answered, event.at)
        case .lost:
            guard waits else { return false }
            state = .lost
            entry.outcome = .unknown
            (entry.basis, entry.outcomeAt, entry.isFinal) = (nil, event.at, true)
        case .stillOpen:
            guard state == .waiting else { return false }
            state = .stillOpen
            entry.outcome = .unknown
            (entry.basis, entry.outcomeAt) = (nil, nil)
        }
        return true
    }

    /// Sets the final outcome: the bank's answer, or, when nothing was sent, our own.
    private mutating func settle(_ outcome: Outcome, at: Date) {
        entry.outcome = outcome
        let isToldByBank = !entry.signedBytes.isEmpty && outcome != .unsent
        (entry.basis, entry.outcomeAt) = (isToldByBank ? .answered : nil, outcome == .unknown ? nil : at)
        switch outcome {
        case .unknown, .processing: state = .waiting
        case .confirmed, .denied, .refused, .expired, .unsent: state = .answered
        }
        entry.isFinal = !waits
    }
}
