package import Approvals
internal import Basics
internal import Dispatch
internal import ApprovalModel
import AgentWire

extension Carrier where Host == any ApprovalHost {
    /// Begins to connect a bank, or to connect it again.
    package func enroll(_ request: EnrollmentRequest) async throws -> any EnrollmentSteps {
        switch way {
        case .agent(let client): SocketEnrollment(request, client)
        case .vault(let host): try await host.operations(to: nil).enrollment(request)
        }
    }

    /// Streams the waiting requests, as `added`, and then each change. Ends when nobody reads it any more, and throws when the agent ends.
    package func events() async throws -> AsyncThrowingStream<Event, any Error> {
        switch way {
        case .agent(let client): try await client.approvalEvents()
        case .vault(let host): try await host.operations(to: nil).events()
        }
    }
}

extension AgentClient {
    fileprivate func approvalEvents() async throws -> AsyncThrowingStream<Event, any Error> {
        let events = try await events()
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
