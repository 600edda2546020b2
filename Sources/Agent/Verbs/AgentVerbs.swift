internal import Authenticator
internal import Basics

/// All that a front end can ask of the agent itself.
enum AgentVerbs {
    static let handshake = Verb<NoInput, Handshake>("handshake", .get, "/agent", while: .any)
    static let status = Verb<NoInput, StatusPayload>("status", .get, "/status", while: .any)

    // When the caller leaves, the prompt is taken back.
    static let unlock = Verb<NoInput, StatusPayload>(
        "unlock", .post, "/unlock", while: .any, pin: .needed, endsWithCaller: true)
    static let lock = Verb<NoInput, StatusPayload>("lock", .post, "/lock", while: .any)

    /// A key was pressed in a front end, which counts as use.
    static let use = Verb<NoInput, NoOutput>("use", .post, "/use", while: .open)

    /// While locked, only how many authorizations wait. Sessions are included for our own program alone.
    static let events = Verb<EventsRequest, AgentEvent>("events", .get, "/events", while: .any, answer: .events)
}
