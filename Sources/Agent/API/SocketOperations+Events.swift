public import Authenticator
internal import Basics
internal import Dispatch

extension SocketOperations {
    /// Ends when its consumer goes away. Throws when the agent ends.
    public func events() async throws -> AsyncThrowingStream<Event, any Error> {
        let events = try await client.events()
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        continuation.onTermination = { _ in events.cancel() }
        // Its calls block until something happens, so it has a thread.
        DispatchQueue(label: "agent's events").async {
            do {
                while let event = try events.next() {
                    let event = try JSONForm.decode(AgentEvent.self, from: Array(event.data.utf8))
                    // Events of sessions come only on request, and this client does not request them.
                    if case .approvals(let event) = event { continuation.yield(event) }
                }
                continuation.finish(throwing: Failure.agentEnded)
            } catch {
                continuation.finish(throwing: Failure(error, after: .none))
            }
        }
        return stream
    }
}
