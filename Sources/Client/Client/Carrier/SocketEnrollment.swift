internal import Approvals
internal import Basics
internal import Synchronization
import Verbs
import AgentWire

/// The steps of an enrollment in the agent. It keeps one connection, by which the agent notices that this process is gone
/// and ends the enrollment.
final class SocketEnrollment: EnrollmentSteps {
    private let wanted: NewEnrollment
    private let client: AgentClient
    private let id = Mutex<String?>(nil)

    init(_ request: EnrollmentRequest, _ client: AgentClient) {
        wanted = NewEnrollment(request, whileConnected: true)
        self.client = client.another()
    }

    func begin() async throws -> EnrollmentOfferPayload {
        let opened = try await client.perform(AgentVerbs.beginEnrollment, wanted)
        id.withLock { $0 = opened.id }
        return opened.offer
    }

    func accept(returnURL: String) async throws -> EnrollmentNext {
        try await client.perform(AgentVerbs.accept, on: try begun(), Acceptance(returnURL: returnURL))
    }

    func take(_ address: String) async throws -> RedirectVerdict {
        do {
            return try await client.perform(AgentVerbs.redirect, on: try begun(), IncomingAddress(address))
        } catch let failure as Failure where failure.kind == .locked {
            // The agent keeps the enrollment. It goes on when the person has unlocked the agent and loads the page again.
            var failure = failure
            failure.hint = "countersign unlock, then reload the bank's page in the browser"
            return RedirectVerdict(error: failure)
        }
    }

    func abandon() async {
        guard let id = try? begun() else { return }
        _ = try? await client.perform(AgentVerbs.endEnrollment, on: id, NoInput())
    }

    private func begun() throws -> String {
        guard let id = id.withLock({ $0 }) else { throw EnrollmentError.outOfTurn }
        return id
    }
}
