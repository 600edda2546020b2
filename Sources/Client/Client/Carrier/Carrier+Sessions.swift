import Basics
package import Keys
import SessionModel
package import Sessions

extension Carrier where Host == any SessionHost {
    /// Begins a login. Throws if the request cannot be carried out, as far as that is known before its first step.
    ///
    /// - Parameter secret: of the client that the request names; only for the vault of this command, since it never passes through JSON.
    package func login(_ request: LoginRequest, secret: SecretSlot? = nil) async throws -> any LoginSteps {
        switch way {
        case .agent where secret != nil: throw SessionError.takesPIN
        case .agent(let client): SocketLogin(request, client)
        case .vault(let host): try await host.sessions().login(request, secret: secret)
        }
    }

    /// Makes the calls that are still owed to issuers. An agent does that by itself.
    package func settle() async throws {
        if case .vault(let host) = way { try await host.sessions().signOut.settle() }
    }
}
