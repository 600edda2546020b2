internal import Basics
import SessionModel
internal import Sessions
internal import Synchronization
import Verbs
import AgentWire

/// The steps of a login in the agent. It keeps one connection, by which the agent notices that this process is gone and ends the login.
final class SocketLogin: LoginSteps {
    private let request: LoginRequest
    private let client: AgentClient
    private let id = Mutex<String?>(nil)

    init(_ request: LoginRequest, _ client: AgentClient) {
        self.request = request
        self.client = client.another()
    }

    func begin() async throws -> LoginOfferPayload {
        let opened = try await client.perform(AgentVerbs.beginLogin, request)
        id.withLock { $0 = opened.id }
        return opened.offer
    }

    func accept(returnURL: String) async throws -> WebAddress {
        let next = try await client.perform(
            AgentVerbs.acceptLogin, on: try begun(), LoginAcceptance(.browser(returnURL: returnURL)))
        guard let page = next.page else { throw SessionError.loginEnded }
        return try WebAddress(page)
    }

    func acceptDevice(within patience: Duration) async throws -> DeviceCodePayload {
        let next = try await client.perform(
            AgentVerbs.acceptLogin, on: try begun(), LoginAcceptance(.device(seconds: patience / .seconds(1))))
        guard let code = next.device else { throw SessionError.loginEnded }
        return code
    }

    func take(_ address: String) async throws -> SignedInPayload? {
        try await client.perform(AgentVerbs.redirectLogin, on: try begun(), LoginRedirect(address)).signedIn
    }

    func awaitDevice() async throws -> SignedInPayload {
        while true {
            let verdict = try await client.perform(
                AgentVerbs.login, on: try begun(), LoginWait(seconds: LoginWait.longest))
            if let signedIn = verdict.signedIn { return signedIn }
        }
    }

    func awaitLoss() async throws {
        // The other connection must stay free for the answer of the issuer's page.
        let client = client.another()
        while true {
            _ = try await client.perform(AgentVerbs.login, on: try begun(), LoginWait(seconds: LoginWait.longest))
            try Task.checkCancellation()
        }
    }

    func abandon() async {
        guard let id = try? begun() else { return }
        _ = try? await client.perform(AgentVerbs.endLogin, on: id, NoInput())
    }

    private func begun() throws -> String {
        guard let id = id.withLock({ $0 }) else { throw SessionError.loginEnded }
        return id
    }
}
