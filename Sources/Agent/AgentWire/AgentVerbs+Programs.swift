import Basics
package import Sessions
package import Verbs

/// The verbs about programs that ask this agent for tokens.
extension AgentVerbs {
    package static let programs = [
        ready.untyped, revokeOwn.untyped, requests.untyped, allow.untyped, refuse.untyped,
    ]

    /// For the part of the program that starts sooner than the rest (`Sources/entry`).
    package static let ready = AgentVerb<ReadyRequest, ReadyPayload>(
        "ready", .post, "/ready", while: .atHand, callers: .ownProgram
    ) { host, call in try await host.ready(call.input) }

    /// A program signs itself out. Allowed in every state: a program may always give up access.
    package static let revokeOwn = AgentVerb<NoInput, NoOutput>(
        "revokeOwn", .delete, "/grants/own", effect: .change, while: .any
    ) { host, _ in
        try await host.revokeOwn()
        return NoOutput()
    }

    /// The requests of programs that wait.
    package static let requests = AgentVerb<NoInput, RequestsPayload>(
        "requests", .get, "/requests", while: .atHand, callers: .ownProgram
    ) { host, _ in try await host.requests() }

    /// Grants the request of a program.
    package static let allow = AgentVerb<AllowOptions, AnsweredRequestPayload>(
        "allow", .post, "/requests/{id}/allow", effect: .change, while: .atHand, callers: .ownProgram, pin: .needed
    ) { host, call in try await host.allow(call) }

    package static let refuse = AgentVerb<NoInput, AnsweredRequestPayload>(
        "refuse", .post, "/requests/{id}/refuse", effect: .change, while: .atHand, callers: .ownProgram
    ) { host, call in try await host.refuse(call.name) }
}
