package import Approvals
import Basics
package import Verbs

/// The verbs of enrollments. The agent keeps an enrollment that was begun until it is ended.
extension AgentVerbs {
    static let enrollments = [
        beginEnrollment.untyped, accept.untyped, redirect.untyped, endEnrollment.untyped,
    ]

    package static let beginEnrollment = AgentVerb<NewEnrollment, OpenEnrollment>(
        "beginEnrollment", .post, "/enrollments", while: .open
    ) { host, call in
        let approvals = host.agent.approvals
        let opened = try await approvals.beginEnrollment(call.input.request, for: host.caller)
        if call.input.whileConnected {
            _ = host.caller.presence.onDeparture { Task { await approvals.endEnrollment(opened.id) } }
        }
        return opened
    }

    // While locked, an enrollment that has ended is still reported as ended; a running one needs the open agent.
    package static let accept = AgentVerb<Acceptance, EnrollmentNext>(
        "accept", .post, "/enrollments/{id}/accept", effect: .change, while: .any
    ) { host, call in
        let steps = try await host.steps(of: call.name)
        try await host.agent.approvals.demandYes(to: "connects a bank, for which keys are made", for: host.caller)
        return try await steps.accept(returnURL: call.input.returnUrl)
    }

    package static let redirect = AgentVerb<IncomingAddress, RedirectVerdict>(
        "redirect", .post, "/enrollments/{id}/redirects", effect: .change, while: .any
    ) { host, call in try await host.steps(of: call.name).take(call.input.address) }

    package static let endEnrollment = AgentVerb<NoInput, NoOutput>(
        "endEnrollment", .delete, "/enrollments/{id}", effect: .change, while: .any
    ) { host, call in
        await host.agent.approvals.endEnrollment(call.name)
        return NoOutput()
    }
}

extension AgentCall {
    fileprivate func steps(of enrollment: String) async throws -> any EnrollmentSteps {
        guard let steps = try await agent.approvals.enrollment(enrollment) else { throw EnrollmentError(.outOfTurn) }
        return steps
    }
}
