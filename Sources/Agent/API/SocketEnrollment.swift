internal import Authenticator
internal import Basics
internal import Synchronization

/// The steps of an enrollment in the agent, which ends it when this process goes away: one connection is kept for it.
final class SocketEnrollment: EnrollmentSteps {
    private let wanted: AgentAPI.NewEnrollment
    private let line: AgentLine
    private let id = Mutex<String?>(nil)

    init(_ wanted: AgentAPI.NewEnrollment, _ line: AgentLine) {
        self.wanted = wanted
        self.line = line.another()
    }

    func begin() async throws -> EnrollmentOfferPayload {
        let opened: OpenEnrollment = try await line.call(.init("POST", "/enrollments", .question, json: wanted))
        id.withLock { $0 = opened.id }
        return opened.offer
    }

    func accept(returnURL: String) async throws -> EnrollmentNext {
        try await line.call(
            .init("POST", try path() + "/accept", .change, json: AgentAPI.Acceptance(returnUrl: returnURL)))
    }

    func take(_ address: String) async throws -> RedirectVerdict {
        do {
            return try await line.call(
                .init("POST", try path() + "/redirects", .change, json: AgentAPI.IncomingAddress(address: address)))
        } catch let failure as Failure where failure.kind == .locked {
            // The agent keeps it; it goes on when the person has unlocked it, and the page is loaded again.
            return RedirectVerdict(error: failure)
        }
    }

    func abandon() async {
        guard let path = try? path() else { return }
        try? await line.tell(.init("DELETE", path, .change))
    }

    private func path() throws -> String {
        guard let id = id.withLock({ $0 }) else { throw EnrollmentError(.outOfTurn) }
        return "/enrollments/\(URLText.encode(id))"
    }
}
