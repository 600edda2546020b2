import Approvals
import Basics
import ApprovalModel

/// Pages in a browser that lead back here. While a person is at one, the agent does not hide, since nothing could be stored then: until
/// the page has led back or its time is over. A locked screen hides the agent all the same.
extension ApprovalWing {
    /// An enrollment ends itself when its own time is over; this is a limit for front ends that forget it.
    nonisolated static let longestPage = Duration.seconds(3600)
    /// How long a page waits for a decision, as long as no enrollment does.
    nonisolated static let longestClaim = Duration.seconds(600)

    var heldUntil: ContinuousClock.Instant? {
        (Array(pages.values) + claimed.values).max()
    }

    /// The bank's page was handed out, so a person is there now.
    func holdOpen(forEnrollment id: String) {
        if enrollments[id] != nil { pages[id] = clock.moment() + Self.longestPage }
    }

    /// The enrollment is over, which counts as use.
    func release(enrollment id: String) {
        if pages.removeValue(forKey: id) != nil { core.use() }
    }

    /// An action brought this request.
    func holdOpen(for item: ItemKey) { claimed[item] = clock.moment() + Self.longestClaim }

    /// The request was decided, perhaps before a poll brought it.
    func release(claimOf request: DecisionRequest) {
        guard let id = Reference(request.ref)?.bankID else { return }
        claimed = claimed.filter { $0.key.id != id }
    }
}
