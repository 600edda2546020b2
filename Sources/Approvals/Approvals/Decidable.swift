import Basics
package import FoundationEssentials
package import ApprovalModel

/// A form of an authorization that can be judged: the card that a person sees, or the item that the bank served.
package protocol Decidable {
    /// Whether it waits for a decision, by the bank's status.
    var isPending: Bool { get }
    /// Whether the bank is still processing a decision.
    var isProcessing: Bool { get }
    /// Whether denying takes the PIN, because the denial could be used as an approval.
    var denialNeedsPIN: Bool { get }
    /// Whether the bank wants a position with each approval.
    var needsPosition: Bool { get }
    /// Whether it is too late to approve at `now`.
    func isExpired(at now: Date) -> Bool
}

extension Decidable {
    /// The reason why it cannot get this decision now; nil if it can.
    ///
    /// The bank's state, the expiry and the position are judged here alone: for every front end before the first question, for the
    /// agent before each window, and for `Deciding` right before it sends. A denial that could be used as an approval is judged like one.
    package func obstacle(to verdict: Verdict, hasPosition: Bool, at now: Date) -> DecisionError? {
        guard isPending else { return isProcessing ? .underWay : .gone }
        if verdict == .approve || denialNeedsPIN, isExpired(at: now) { return .expired }
        if verdict == .approve, needsPosition, !hasPosition { return .geolocationRequired }
        return nil
    }

    /// Whether it still waits for the person.
    package func isWaiting(at now: Date) -> Bool { obstacle(to: .approve, hasPosition: true, at: now) == nil }
}

extension Card: Decidable {}

extension Authorization: Decidable {
    package var isPending: Bool { status == .pending }
    package var isProcessing: Bool { status.isProcessing }
    package var denialNeedsPIN: Bool { denialPassesAsApproval }
}
