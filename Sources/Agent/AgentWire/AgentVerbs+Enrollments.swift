package import Approvals
import Basics
package import Verbs

/// The verbs of enrollments. The agent keeps an enrollment that was begun until it is ended.
extension AgentVerbs {
    package static let enrollments = [
        beginEnrollment.untyped, accept.untyped, redirect.untyped, endEnrollment.untyped,
    ]

    package static let beginEnrollment = AgentVerb<NewEnrollment, OpenEnrollment>(
        "beginEnrollment", .post, "/enrollments", while: .open
    ) { host, call in try await host.beginEnrollment(call.input) }

    // While locked, an enrollment that has ended is still reported as ended; a running one needs the open agent.
    package static let accept = AgentVerb<Acceptance, EnrollmentNext>(
        "accept", .post, "/enrollments/{id}/accept", effect: .change, while: .any
    ) { host, call in try await host.accept(call) }

    package static let redirect = AgentVerb<IncomingAddress, RedirectVerdict>(
        "redirect", .post, "/enrollments/{id}/redirects", effect: .change, while: .any
    ) { host, call in try await host.redirect(call) }

    package static let endEnrollment = AgentVerb<NoInput, NoOutput>(
        "endEnrollment", .delete, "/enrollments/{id}", effect: .change, while: .any
    ) { host, call in
        await host.endEnrollment(call.name)
        return NoOutput()
    }
}
