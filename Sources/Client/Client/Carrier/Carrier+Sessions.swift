import AgentWire
import Basics
package import Dialogue
package import Keys
import SessionModel
package import Sessions
import Verbs

extension Carrier where Host == any SessionHost {
    /// Begins a login: finds the issuer, and makes nothing yet.
    ///
    /// - Parameters:
    ///   - patience: how long the person has to enter a code.
    ///   - secret: of the client that the request names; only for the vault of this command, since it never passes through JSON.
    package func login(
        _ request: LoginRequest, patience: Duration, secret: SecretSlot? = nil
    ) async throws -> (offer: LoginOfferPayload, steps: PageSteps<SignedInPayload>) {
        let patience = request.isForDevice ? patience : nil
        switch way {
        case .agent where secret != nil: throw SessionError.takesPIN
        case .agent(let client):
            // It has a connection of its own, by which the agent notices that this process is gone and ends the login. The wait has another
            // one, so that it is free for the answer of the issuer's page.
            let (client, waiting) = (client.another(), client.another())
            let opened = try await client.perform(AgentVerbs.beginLogin, request)
            let (offer, id) = (opened.offer, opened.id)
            let steps = PageSteps<SignedInPayload>(
                offer, code: patience, accept: { try await client.perform(AgentVerbs.acceptLogin, on: id, $0) },
                redirect: { try await client.perform(AgentVerbs.redirectLogin, on: id, $0) },
                wait: { try await waiting.perform(AgentVerbs.login, on: id, $0) },
                end: { _ = try? await client.perform(AgentVerbs.endLogin, on: id, NoInput()) })
            return (offer, steps)
        case .vault(let host):
            let login = try await host.sessions().login(request, secret: secret)
            let offer = try await login.begin()
            return (offer, PageSteps(login, offer, code: patience))
        }
    }

    /// Makes the calls that are still owed to issuers. An agent does that by itself.
    package func settle() async throws {
        if case .vault(let host) = way { try await host.sessions().signOut.settle() }
    }
}
