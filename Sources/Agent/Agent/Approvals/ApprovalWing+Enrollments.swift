import Approvals
import Basics

/// Enrollments that were begun here. They outlive hiding, because a person may be on a bank's page for longer than the
/// agent stays open, but shutting the agent abandons them.
extension ApprovalWing {
    /// Begins an enrollment and keeps it until `endEnrollment`.
    func beginEnrollment(_ request: EnrollmentRequest, for caller: CallerContext) async throws -> OpenEnrollment {
        let operations = try localOperations(for: caller)
        let steps = try operations.enrollment(request)
        let (id, generation) = (try dependencies.setup.makeID(), core.generation)
        let offer = try await steps.begin()
        guard generation == core.generation else {
            await steps.abandon()
            throw AgentCore.isLocked
        }
        enrollments[id] = steps
        return OpenEnrollment(id: id, offer: offer)
    }

    /// An enrollment that was begun. Throws `EnrollmentError` `outOfTurn` if none has this id, and a failure of kind `locked` while the agent
    /// is locked, since nothing can be stored then; the enrollment goes on after the PIN.
    func enrollment(_ id: String) throws -> LocalEnrollment {
        guard let enrollment = enrollments[id] else { throw EnrollmentError.outOfTurn }
        try core.demandOpen()
        return enrollment
    }

    /// The person agreed, and is on the bank's page now, if it needs one.
    func accept(_ id: String, returnURL: String) async throws -> EnrollmentNext {
        let next = try await enrollment(id).accept(returnURL: returnURL)
        if next.page != nil { holdOpen(forEnrollment: id) } else { release(enrollment: id) }
        return next
    }

    /// Judges an address that the browser was led to.
    func redirect(_ id: String, _ address: String) async throws -> RedirectVerdict {
        let verdict = try await enrollment(id).take(address)
        if verdict.connection != nil { release(enrollment: id) }
        return verdict
    }

    func endEnrollment(_ id: String) async {
        release(enrollment: id)
        await enrollments.removeValue(forKey: id)?.abandon()
    }

    func abandonEnrollments() {
        let abandoned = enrollments.values
        enrollments = [:]
        pages = [:]
        if !abandoned.isEmpty { Task { for steps in abandoned { await steps.abandon() } } }
    }
}
