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

    /// The steps of an enrollment that was begun; nil if none has this id. Throws a failure of kind `locked` while the
    /// agent is locked, since nothing can be stored then; the enrollment goes on after the PIN.
    func enrollment(_ id: String) throws -> (any EnrollmentSteps)? {
        guard let steps = enrollments[id] else { return nil }
        try core.demandOpen()
        return EnrollmentOnPage(steps: steps) { [weak self] isOnPage in
            if isOnPage { await self?.holdOpen(forEnrollment: id) } else { await self?.release(enrollment: id) }
        }
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
