internal import Sessions

/// What the API needs for what a program says of itself.
public protocol ProgramServing: Sendable {
    /// The program that asks gets nothing more by its grants until the person resumes them. While nothing can be written that is kept in
    /// memory until the next PIN. Throws what the store throws, and a failure of kind `locked` where too many wait for the PIN.
    func suspendOwn(for caller: CallerContext) async throws
}

extension AgentAPI {
    /// They come before those whose path has a name in the same place.
    static func ownRoutes(of agent: any ProgramServing) -> [Route] {
        [Route.doing(SessionVerbs.suspendOwn) { request, _ in try await agent.suspendOwn(for: request.caller) }]
    }
}
