import Basics
package import Sessions
package import Verbs

/// The verbs about programs that ask this agent for tokens.
extension AgentVerbs {
    static let programs = [
        ready.untyped, revokeOwn.untyped, requests.untyped, allow.untyped, refuse.untyped,
    ]

    /// For the part of the program that starts sooner than the rest (`Sources/entry`).
    static let ready = AgentVerb<ReadyRequest, ReadyPayload>(
        "ready", .post, "/ready", while: .atHand, callers: .ownProgram
    ) { host, call in try await host.agent.sessions.ready(call.input, for: host.caller) }

    /// A program signs itself out. Allowed in every state: a program may always give up access.
    static let revokeOwn = AgentVerb<NoInput, NoOutput>(
        "revokeOwn", .delete, "/grants/own", effect: .change, while: .any
    ) { host, _ in
        try await host.agent.sessions.revokeOwn(for: host.caller)
        return NoOutput()
    }

    /// The requests of programs that wait.
    package static let requests = AgentVerb<NoInput, RequestsPayload>(
        "requests", .get, "/requests", while: .atHand, callers: .ownProgram
    ) { host, _ in try await host.agent.sessions.programRequests(for: host.caller) }

    /// Grants the request of a program.
    package static let allow = AgentVerb<AllowOptions, AnsweredRequestPayload>(
        "allow", .post, "/requests/{id}/allow", effect: .change, while: .atHand, callers: .ownProgram, pin: .needed
    ) { host, call in
        let pin = try call.demandPIN().typed()
        return try await host.agent.sessions.allow(
            call.name, call.input, pin: pin.secret, from: pin.source, for: host.caller)
    }

    package static let refuse = AgentVerb<NoInput, AnsweredRequestPayload>(
        "refuse", .post, "/requests/{id}/refuse", effect: .change, while: .atHand, callers: .ownProgram
    ) { host, call in try await host.agent.sessions.refuse(call.name, for: host.caller) }
}
