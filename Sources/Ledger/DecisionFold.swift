import FoundationEssentials
import SCA

/// One decision, folded event by event. What is known for good stays, but for the bank's own word, which beats what was
/// inferred or given up.
struct DecisionFold {
    private(set) var entry: DecisionEntry
    let attempt: Int
    private var state = State.waiting

    private enum State { case waiting, stillOpen, lost, inferred, answered }

    /// From its "sending" event.
    init(_ sending: LogEvent.Sending, at: Date, sequence: Int64, mac: [UInt8]) {
        attempt = sending.attempt
        entry = DecisionEntry(
            sequence: sequence, at: at, shown: sending.shown, verdict: sending.verdict, requester: sending.requester,
            signedBytes: Array(sending.signedBytes), signature: sending.signature, outcome: .unknown, basis: nil,
            outcomeAt: nil, isFinal: false, hash: hexadecimal(mac))
    }

    /// Whether a later poll has to settle it.
    var waits: Bool { state == .waiting || state == .stillOpen }

    /// Whether the person may decide on the same authorization anew: the bank refused, or still lists it.
    var mayBeDecidedAgain: Bool { state == .stillOpen || entry.outcome == .refused }

    /// Takes one more event. False when it says nothing new, or comes too late to count; then nothing changes.
    mutating func apply(_ event: LogEvent) -> Bool {
        switch event.kind {
        case .sending:
            return false
        case .answered(let outcome):
            guard state != .answered, outcome != .unknown else { return false }
            settle(outcome, .answered, at: event.at)
        case .resolved(let outcome, let basis):
            guard waits, (outcome, basis) != (entry.outcome, entry.basis) else { return false }
            settle(outcome, basis, at: event.at)
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

    private mutating func settle(_ outcome: Outcome, _ basis: Basis?, at: Date) {
        entry.outcome = outcome
        (entry.basis, entry.outcomeAt) = (basis, outcome == .unknown ? nil : at)
        switch outcome {
        case .unknown, .processing: state = .waiting
        case .confirmed, .denied, .refused, .expired: state = basis == .inferred ? .inferred : .answered
        }
        entry.isFinal = !waits
    }
}
