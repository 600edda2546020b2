package import Approvals
import Basics
internal import Sessions
package import Verbs

/// The verbs that only an agent has. Without a PIN the agent asks for it by its own prompt, at the caller's `PromptPlace`.
package enum AgentVerbs {
    /// All of them, as the agent serves them.
    package static let all =
        [handshake.untyped, status.untyped, unlock.untyped, lock.untyped, use.untyped, events.untyped]
        + enrollments + logins + programs

    package static let handshake = AgentVerb<NoInput, Handshake>("handshake", .get, "/agent", while: .any) { host, _ in
        try await host.handshake()
    }

    package static let status = AgentVerb<NoInput, StatusPayload>("status", .get, "/status", while: .any) { host, _ in
        try await host.status()
    }

    // When the caller leaves, the prompt is taken back.
    package static let unlock = AgentVerb<NoInput, StatusPayload>(
        "unlock", .post, "/unlock", while: .any, pin: .needed, endsWithCaller: true
    ) { host, call in try await host.unlock(call) }

    /// Wipes keys and content.
    package static let lock = AgentVerb<NoInput, StatusPayload>("lock", .post, "/lock", while: .any) { host, _ in
        try await host.lock()
    }

    /// A key was pressed in a front end, which counts as use.
    package static let use = AgentVerb<NoInput, NoOutput>("use", .post, "/use", while: .open) { host, _ in
        try await host.use()
        return NoOutput()
    }

    /// First each authorization that waits, as `added`, then each change. While locked, only how many wait. Does not count as use.
    /// If sessions are wanted, and while they are at hand: each session and each request of a program, then each change.
    package static let events = AgentVerb<EventsRequest, AsyncThrowingStream<AgentEvent, any Error>>(
        "events", .get, "/events", while: .any, answer: .events
    ) { host, call in await host.events(call.input) }
}
